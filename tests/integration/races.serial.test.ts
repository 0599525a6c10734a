import { races } from '../support/suites/races.ts'

// tests/slow runs fifty seeds of each.
await races(1, 10)
