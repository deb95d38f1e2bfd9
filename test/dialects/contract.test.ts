import { contract } from './contract.ts'
import { SAMPLES } from './samples/index.ts'

for (const sample of SAMPLES) contract(sample)
