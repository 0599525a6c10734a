import { races } from '../support/suites/races.ts'

// Accounts and the limits of the numbers they call are in two databases. Fifty seeds of each are in tests/slow/.
await races(2, 10)
