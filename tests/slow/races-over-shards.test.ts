import { races } from '../support/races.ts'

await races(2, 50)
