import { contract } from './contract.ts'
import { SAMPLES } from './samples.ts'

for (const sample of SAMPLES) contract(sample)
