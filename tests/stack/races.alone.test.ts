import { races } from '../support/races.ts'

// Fifty seeds of each are in proofs/.
await races(1, 10)
