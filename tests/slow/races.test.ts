import { races } from '../support/suites/races.ts'

await races(1, 50)
