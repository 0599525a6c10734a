import { webhookLoad } from '../support/suites/webhook-load.ts'

await webhookLoad({ calls: 1_000, callsPerSecond: 50, rounds: 5, callsPerRound: 200, callsUntilKilled: 100 })
