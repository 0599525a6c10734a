// The SIP messages of calls through a real Asterisk and a real carrier: in order, with their direction, and without a number,
// a code, a key or a password.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { keptAlive, take } from '../support/suites/switch.ts'

const [asterisk, lone, carrier, carrierOverTcp] = await Promise.all([
  testAsterisk(),
  testAsterisk(),
  testCarrier(),
  testCarrier(undefined, 'tcp'),
])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const database = installation.slots.globalDatabase
const { base, says } = await serve(installation, { RINGPROOF_SIP_MESSAGES: 'all' })
await says('"msg":"ARI connected"')
const service = await makeService(installation, 10_000)

type Row = { readonly attempt: number; readonly messages: readonly { isSent: boolean; atMs: number; text: string }[] }

const expected = {
  '404': ['> INVITE', '< 100', '< 404', '> ACK'],
  '180': ['> INVITE', '< 100', '< 180', '> CANCEL', '< 200', '< 487', '> ACK'],
  '200': ['> INVITE', '< 100', '< 180', '< 200', '> ACK', '> BYE', '< 200'],
} as const

for (const [scenario, lines] of Object.entries(expected)) {
  test(`a call to scenario ${scenario} leaves its messages in order, and no secret`, async () => {
    const phone = freshNumber(scenario)
    const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
    assert.equal(asked.status, 200, asked.text)
    const id = asked.json['vendor_id']
    await settled(base, service, id)
    const rows = await poll(
      'the messages',
      async () => {
        const sql = 'SELECT attempt, messages FROM sip_messages WHERE id = $1 ORDER BY attempt'
        return (await database.query<Row>(sql, [id])).rows
      },
      ({ length }) => length > 0,
    )
    assert.equal(rows.length, 1)
    const [{ messages }] = rows as [Row]
    assert.deepEqual(messages.map(shortOf), lines)
    assert.deepEqual(
      messages.map(({ atMs }) => atMs),
      messages.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
    )
    assert.match(messages[0]?.text ?? '', /^INVITE sip:<phone>@127\.0\.0\.1:\d+ SIP\/2\.0\n[\s\S]*From: <sip:<caller>@/)
    const code = String(asked.json['code'])
    assert.match(code, /^\d{4}$/)
    const secrets = [phone, phone.slice(-7), `7000000${code}`, service.key]
    assert.deepEqual(await rowsWith(secrets), [])
    // Ports, counters and lengths may happen to have the digits of the code.
    assert.deepEqual(
      messages.filter(({ text }) => withoutCounters(text).includes(code)),
      [],
    )
    await database.query(`UPDATE sip_messages SET messages = jsonb_set(messages, '{0,text}', $2) WHERE id = $1`, [
      id,
      JSON.stringify(`From: <sip:7000000${code}@seeded>`),
    ])
    assert.deepEqual(await rowsWith(secrets), [String(id)])
    await database.query('DELETE FROM sip_messages WHERE id = $1', [id])
  })
}

test('over UDP and TCP no message is repeated, and the account at the carrier is not in it', async () => {
  const trunk = { ...trunkDefaults, channels: 10, callsPerSecond: 10, user: 'customer-9', fromUser: 'customer-9' }
  const trunks = [
    { ...trunk, name: 'udp', address: carrier.address },
    { ...trunk, name: 'tcp', address: carrierOverTcp.address, transport: 'tcp' as const },
  ]
  const network = await asteriskSwitch(lone, () => trunks, { passwordOf: () => 'hunter2' })
  for (const { name } of trunks) {
    const call = {
      channelId: name,
      trunk: name,
      to: '79070000404',
      from: '70000005678',
      originateTimeoutMs: 30_000,
      flashRingMs: 5_000,
    }
    const leg = network.dial(call)
    await keptAlive(realClock, take(leg))
    const messages = await leg.messages()
    assert.deepEqual(messages.map(shortOf), expected['404'], name)
    for (const { text } of messages) assert.doesNotMatch(text, /hunter2|customer-9|0000404|70000005678/)
  }
})

function shortOf({ isSent, text }: { readonly isSent: boolean; readonly text: string }): string {
  const [first = '', second = ''] = text.split(' ')
  return `${isSent ? '>' : '<'} ${first === 'SIP/2.0' ? second : first}`
}

function withoutCounters(text: string): string {
  return text.replaceAll(/CSeq: \d+|m=audio \d+|127\.0\.0\.1:\d+/g, '')
}

async function rowsWith(secrets: readonly string[]): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id::text AS id FROM sip_messages AS m WHERE EXISTS (SELECT FROM unnest($1::text[]) AS s WHERE m::text LIKE '%' || s || '%')`,
    [secrets],
  )
  return rows.map(({ id }) => id)
}
