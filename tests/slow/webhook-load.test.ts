import { webhookLoad } from '../support/webhook-load.ts'

await webhookLoad({ calls: 1_000, callsPerSecond: 50, rounds: 5, callsPerRound: 200, callsUntilKilled: 100 })
