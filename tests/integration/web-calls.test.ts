// Calls of all customers in the console: one list over two databases, found by trunk, side, status and number, with every leg.
// No operator reads a full number; support and viewers never see a code.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorRoles } from '@ringproof/contract/web/access.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { ask } from '../support/http/ask.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { operatorAs } from '../support/web/people.ts'

const installation = await installPhones(0.05, 2)
const { slots } = installation
const { base } = await serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const [admin, support, viewer] = await Promise.all(operatorRoles.map((role) => operatorAs(base, cli, role)))
assert(admin && support && viewer)

const code = '7391'
const shops = [await makeService(installation, 1_000), await makeService(installation, 1_000)]
const rang = freshNumber('180')
const busy = freshNumber('486')
const ids: VerificationId[] = []
for (const [shop, phone] of [
  [shops[0], rang],
  [shops[0], busy],
  [shops[1], freshNumber('486')],
] as const) {
  assert(shop)
  const start = { method: 'POST', headers: shop.bearer, body: { phone, code } }
  const { json, text } = await ask(`${base}/v1.0/initCall`, start)
  assert(json['vendor_id'], text)
  await settled(base, shop, json['vendor_id'])
  ids.push(Number(json['vendor_id']) as VerificationId)
}
const [rangId = 0, busyId = 0, otherId = 0] = ids
const live = { traffic: 'live' } as const
// By ID: calls of one second are ordered by their slots, not by their moments.
const newestFirst = (...some: readonly number[]) => some.toSorted((one, other) => other - one)

test('calls of every database are one list, newest first, with what is at fault', async () => {
  const { calls, nextBefore } = await viewer.call('calls', live)
  assert.deepEqual(
    calls.map(({ id, atFault, status }) => [id, atFault, status]),
    newestFirst(otherId, busyId, rangId).map((id) =>
      id === rangId ? [id, null, 'succeeded'] : [id, 'subscriber', 'failed'],
    ),
  )
  assert.equal(nextBefore, null)
  assert(new Set(calls.map(({ accountName }) => accountName)).size === 2)
})

test('filters: side, SIP status, trunk, account, page', async () => {
  const found = async (filter: object) => (await viewer.call('calls', { ...live, ...filter })).calls.map(({ id }) => id)
  assert.deepEqual(await found({ side: 'subscriber' }), newestFirst(otherId, busyId))
  assert.deepEqual(await found({ side: 'carrier' }), [])
  assert.deepEqual(await found({ sip: '486' }), newestFirst(otherId, busyId))
  assert.deepEqual(await found({ sip: '503' }), [])
  assert.deepEqual(await found({ trunk: 'first' }), newestFirst(otherId, busyId, rangId))
  assert.deepEqual(await found({ trunk: 'second' }), [])
  assert.deepEqual(await found({ account: String(shops[0]?.accountId) }), [busyId, rangId])
  assert.deepEqual(
    await found({ before: String(busyId) }),
    newestFirst(otherId, rangId).filter((id) => id < busyId),
  )
  assert.deepEqual(await found({ ids: `${rangId},${otherId}` }), newestFirst(otherId, rangId))
})

test('a number finds its calls in every account, and the search is logged without it', async () => {
  assert.deepEqual(await support.call('find-calls', { text: `+${rang}` }), { ids: [rangId], isComplete: true })
  assert.deepEqual(await support.call('find-calls', { text: freshNumber('180') }), { ids: [], isComplete: true })
  assert.deepEqual((await support.call('find-calls', { text: String(busyId) })).ids, [busyId])
  const { rows } = await slots.globalDatabase.query<{ entry: string }>(
    `SELECT action || ' ' || details::text AS entry FROM action_log WHERE account_id IS NULL AND action LIKE 'calls %'`,
  )
  assert.equal(rows.length, 2)
  for (const { entry } of rows) {
    assert.match(entry, /"user"/)
    assert(!entry.includes(rang.slice(-7)), entry)
  }
  const { body } = await support.send('find-calls', { text: 'a name' })
  assert.equal((body as { error?: string }).error, 'invalid')
})

test('the detail has its legs and messages; the digits of the caller are hidden from support and viewers', async () => {
  await storeMessages(busyId as VerificationId)
  await slots
    .databaseOf(slotOfVerification(busyId as VerificationId))
    .query(`UPDATE verifications SET ended_at = ended_at - interval '11 minutes' WHERE id = $1`, [busyId])
  for (const [visitor, isSeen] of [
    [admin, true],
    [support, false],
    [viewer, false],
  ] as const) {
    const call = await visitor.call('call', { id: String(busyId) })
    assert.equal(call.legs[0]?.callId, 'one@192.0.2.5')
    assert.equal(call.legs[0]?.response, '486 Busy Here')
    assert.equal(call.callerEnd, isSeen ? code : null)
    const text = JSON.stringify(call)
    assert(!text.includes(busy.slice(1)), 'the number')
    assert.equal(call.messages[0]?.text.includes(code), isSeen)
  }
  const { status } = await admin.send('call', { id: '9' })
  assert.equal(status, 404)
})

test('the capture file has every message, masked, and none of the digits for support', async () => {
  const fetched = async (cookie: string, id: number) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const response = await fetch(`${base}/web/call.pcap?id=${id}`, { headers })
    return { status: response.status, file: Buffer.from(await response.arrayBuffer()).toString('latin1') }
  }
  for (const [visitor, isSeen] of [
    [admin, true],
    [support, false],
  ] as const) {
    const { status, file } = await fetched(visitor.cookie, busyId)
    assert.equal(status, 200)
    assert.match(file, /INVITE sip:7907\*\*\*\d{4}@203\.0\.113\.4 SIP\/2\.0\r\n/)
    assert.match(file, /486 Busy Here\r\n/)
    assert(!file.includes(busy.slice(1)))
    assert.equal(file.includes(code), isSeen)
  }
  assert.equal((await fetched(admin.cookie, rangId)).status, 404)
  assert.equal((await fetched('', busyId)).status, 401)
})

test('the file of calls has the rows and the masks of the list, for operators only', async () => {
  const fetched = (cookie: string, query: string) =>
    fetch(`${base}/web/calls.csv?${query}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  const linesOf = async (query: string) => (await (await fetched(viewer.cookie, query)).text()).trimEnd().split('\n')
  const idsIn = (lines: readonly string[]) => lines.slice(1).map((line) => Number(line.split(',')[0]))
  const lines = await linesOf('traffic=live')
  const { calls } = await viewer.call('calls', { traffic: 'live' })
  assert.deepEqual(
    idsIn(lines),
    calls.map(({ id }) => id),
  )
  assert.match(lines[0] ?? '', /^vendor_id,accepted,account_id,account,service_id,/)
  const busyIds = calls.filter(({ sipStatus }) => sipStatus === 486).map(({ id }) => id)
  assert(busyIds.includes(busyId) && busyIds.length < calls.length)
  assert.deepEqual(idsIn(await linesOf('traffic=live&sip=486')), busyIds)
  assert(!lines.join().includes(busy.slice(1)))
  assert.equal((await fetched('', 'traffic=live')).status, 401)
})

async function storeMessages(id: VerificationId): Promise<void> {
  const addresses = { source: '192.0.2.5:5060', destination: '203.0.113.4:5060' }
  const head = 'From: <sip:<caller>@192.0.2.5>\nCall-ID: one@192.0.2.5\nCSeq: 1 INVITE'
  const messages = [
    { atMs: 5_000, isSent: true, ...addresses, text: `INVITE sip:<phone>@203.0.113.4 SIP/2.0\n${head}` },
    {
      atMs: 5_090,
      isSent: false,
      source: addresses.destination,
      destination: addresses.source,
      text: `SIP/2.0 486 Busy Here\n${head}`,
    },
  ]
  await slots
    .databaseOf(slotOfVerification(id))
    .query(`INSERT INTO sip_messages (id, attempt, trunk, messages) VALUES ($1, 1, 'first', $2)`, [
      id,
      JSON.stringify(messages),
    ])
}
