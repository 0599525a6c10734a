// Rotates every key ring twice at fifty requests a second: once with running processes, once restarting them one by one
// at every step.

import { test } from 'node:test'
import { rotateUnderLoad } from '../support/suites/key-rotation.ts'

test('rotating every key ring loses no call, and limits and idempotency keys hold', async (t) => {
  const report = await rotateUnderLoad({ timeScale: 1, perSecond: 50, rounds: ['reload', 'restart'], mixedMs: 3_000 })
  t.diagnostic(report)
})
