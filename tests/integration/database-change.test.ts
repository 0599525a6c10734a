// While a database changes hands its sessions end and, for a moment, the server that was the primary only reads. A client gets
// code 5 with Retry-After for that time, never an internal error.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const postgres = await createPrivatePostgres()
const installation = await installPhones(0.05, 1, {}, postgres)
const { base } = await serve(installation)
// Enough for whatever a fast machine calls in a test.
const { bearer } = await makeService(installation, 1_000_000)
const name = new URL(postgres.ownerUrl).pathname.slice(1)

test('a primary that becomes a standby and back: code 5 with Retry-After, and calls go on afterwards', async () => {
  const first = await start()
  assert.equal(first.status, 200)
  await onServer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await endSessions()
  for (const response of await Promise.all([...Array.from({ length: 20 }, start), inbound(), lookup()])) {
    assert.deepEqual([response.status, response.json['code']], [503, 5])
    assert.match(response.retryAfter ?? '', /^\d+$/)
  }
  assert.equal((await balance()).status, 200, 'a standby still reads')
  await onServer(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  await endSessions()
  await poll('a call to be accepted again', async () => (await start()).status === 200)
})

test('sessions that end under load: every start is accepted or gets code 5', async () => {
  const seen = new Set<string>()
  const over = new AbortController()
  const load = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const { status, json, retryAfter } = await start()
      seen.add(
        status === 200 ? 'accepted' : `${status} code ${String(json['code'])}, Retry-After ${retryAfter !== null}`,
      )
    }
  })
  for (let round = 0; round < 10; round++) {
    await endSessions()
    await poll('a call to be accepted', async () => (await start()).status === 200)
  }
  over.abort()
  await Promise.all(load)
  seen.delete('503 code 5, Retry-After true')
  assert.deepEqual([...seen], ['accepted'])
})

test('a server that is killed and started again: code 5 meanwhile, and calls go on afterwards', async () => {
  await postgres.server.kill()
  for (const response of await Promise.all([...Array.from({ length: 20 }, start), inbound(), lookup(), balance()])) {
    assert.deepEqual([response.status, response.json['code']], [503, 5])
    assert.match(response.retryAfter ?? '', /^\d+$/)
  }
  postgres.server.start()
  // It reads and syncs all its files first.
  await postgres.server.ready()
  await poll('a call to be accepted again', async () => (await start()).status === 200)
})

async function send(path: string, body?: object) {
  const headers = { ...bearer, 'content-type': 'application/json' }
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers: bearer }
  const response = await ask(`${base}/v1.0/${path}`, request)
  return { status: response.status, json: response.json, retryAfter: response.headers.get('retry-after') }
}

function start() {
  return send('initCall', { phone: freshNumber('180') })
}

function inbound() {
  return send('inboundCallWaiting', { phone: freshNumber('180'), callback_url: 'https://example.com/hook' })
}

function lookup() {
  return send('checkPhone', { phone: freshNumber('180') })
}

function balance() {
  return send('getBalance')
}

async function endSessions(): Promise<void> {
  await onServer(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  )
}

async function onServer(statement: string): Promise<void> {
  const client = new Client(postgres.superuserUrl)
  await client.connect()
  await client.query(statement)
  await client.end()
}
