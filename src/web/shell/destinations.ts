import { PAGES } from '../pages/index.ts'
import { destinationsOf } from './navigation.ts'

export const DESTINATIONS = destinationsOf(PAGES)
