import { races } from '../support/suites/races.ts'

await races(2, 50)
