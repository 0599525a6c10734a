import { races } from '../support/races.ts'

await races(1, 50)
