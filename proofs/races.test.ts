import { races } from '../tests/support/races.ts'

await races(1, 50)
