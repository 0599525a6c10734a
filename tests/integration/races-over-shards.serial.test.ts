import { races } from '../support/suites/races.ts'

// Accounts, and the limits of the numbers they call, are in two databases. tests/slow runs fifty seeds of each.
await races(2, 10)
