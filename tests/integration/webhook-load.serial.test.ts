import { webhookLoad } from '../support/suites/webhook-load.ts'

// tests/slow runs a thousand calls and more rounds.
await webhookLoad({ calls: 100, callsPerSecond: 50, rounds: 3, callsPerRound: 60, callsUntilKilled: 20 })
