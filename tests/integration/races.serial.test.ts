import { races } from '../support/suites/races.ts'

// Fifty seeds of each are in tests/slow/.
await races(1, 10)
