// Every ring is rotated twice at fifty requests a second: once while processes run, once with a restart of each of them,
// one after the other, at every step.

import { test } from 'node:test'
import { rotateUnderLoad } from '../support/suites/key-rotation.ts'

test('rotation of every ring loses no call, and limits and idempotency keys hold', async (t) => {
  const told = await rotateUnderLoad({ timeScale: 1, perSecond: 50, rounds: ['reload', 'restart'], mixedMs: 3_000 })
  t.diagnostic(told)
})
