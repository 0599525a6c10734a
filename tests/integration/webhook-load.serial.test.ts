import { webhookLoad } from '../support/suites/webhook-load.ts'

// A thousand calls and more rounds are in tests/slow/.
await webhookLoad({ calls: 100, callsPerSecond: 50, rounds: 3, callsPerRound: 60, callsUntilKilled: 20 })
