import { webhookLoad } from '../tests/support/webhook-load.ts'

await webhookLoad({ calls: 1_000, callsPerSecond: 50, rounds: 5, callsPerRound: 300, callsUntilKilled: 100 })
