// A frozen PostgreSQL backend looks like a broken link: its socket stays open and nothing arrives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockedBackend } from '../support/database/blocked-backend.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await installPhones(1)
const { base } = await serve(installation)
const start = ({ bearer: headers }: TestService) =>
  ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body: { phone: freshNumber('486') } })

test('a frozen backend costs code 5 for its own request, and no other request is affected', async () => {
  const [held, free] = [await makeService(installation), await makeService(installation)]
  assert.equal((await start(free)).status, 200)
  await asOwner(async (owner) => {
    // The lock ensures that the frozen backend runs only this account's request and locks no other row.
    await owner.query('BEGIN')
    await owner.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [held.accountId])
    const stuck = start(held)
    const pid = await blockedBackend(installation.database.url)
    process.kill(pid, 'SIGSTOP')
    try {
      const frozenAtMs = performance.now()
      await owner.query('ROLLBACK')
      const others: Awaited<ReturnType<typeof start>>[] = []
      const over = new AbortController()
      const refused = stuck.finally(() => over.abort())
      while (!over.signal.aborted) others.push(await start(free))
      assertRefused(await refused, 5, 503)
      const ms = performance.now() - frozenAtMs
      assert(ms < 10_000, `${ms} ms`)
      for (const { status, text } of others) assert.equal(status, 200, text)
      assert(others.length > 10, `${others.length} in ${ms} ms`)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  }, installation.database.ownerUrl)
  const again = await start(held)
  assert.equal(again.status, 200, again.text)
})
