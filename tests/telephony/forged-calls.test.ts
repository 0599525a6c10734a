// Forged packets verify nobody, over no transport, in a network namespace where any source address can be forged.

import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runInNamespace } from '../support/network/network-namespace.ts'

const file = fileURLToPath(new URL('../support/sip/forged-calls.ts', import.meta.url))

test('ten calls of each kind: genuine ones verify, forged ones do not', async (t) => {
  const said = await runInNamespace(file, { CALLS: '10', CALLS_PER_SECOND: '100' })
  for (const line of said.match(/^ℹ .*\{.*$/gm) ?? []) t.diagnostic(line.slice(2))
})
