// PgBouncer, as packaged by Debian, between the server and its database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { pooled, withoutDeadlines } from '../support/database/pooler.ts'
import { start } from '../support/process/cli.ts'
import { install, serve } from '../support/process/server.ts'

const installation = await install()
const { url: direct } = installation.database

async function refusedBehind(url: string): Promise<string> {
  const settings = { RINGPROOF_DATABASE_URL: url, RINGPROOF_HTTP_PORT: String(await freePort()) }
  const { status, err } = await start({ ...installation.environment, ...settings }, 'serve', '--roles', 'keeper').ended
  assert.equal(status, 1)
  assert(err.includes(`127.0.0.1:${new URL(url).port} `), err)
  assert(!err.includes(decodeURIComponent(new URL(direct).password)))
  assert.match(err, /^[^\n]*RINGPROOF_DATABASE_URL[^\n]*PostgreSQL itself\.\n$/)
  return err
}

test('a pooler in transaction mode is refused at start, with the setting and the fix', {
  timeout: 60_000,
}, async () => {
  for (const [mode, settings] of [
    ['transaction', ''],
    ['transaction', 'server_round_robin = 1\n'],
    ['statement', ''],
  ] as const) {
    const url = await pooled(direct, mode, settings + withoutDeadlines)
    assert.match(await refusedBehind(url), /transaction or statement mode \(pool_mode/)
  }
})

test('a pooler that rejects the timeout parameters is refused at start', { timeout: 60_000 }, async () => {
  assert.match(await refusedBehind(await pooled(direct, 'session')), /rejects our session timeouts/)
})

test('a pooler in session mode works', { timeout: 60_000 }, async () => {
  await serve(
    installation,
    { RINGPROOF_DATABASE_URL: await pooled(direct, 'session', withoutDeadlines) },
    '--roles',
    'keeper',
  )
})
