import { races } from '../tests/support/races.ts'

await races(2, 50)
