// Numbers are listed and removed by CLI, while subscribers and calls still use them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { confirmationFirst, freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

const installation = await installPhones(0.2, 2)
const { slots } = installation
const cli = createCli(installation.environment)
const { base } = await serve(installation)
const service = await makeService(installation, 1_000)
const { call, outcomes } = await createInboundCalls(installation)

type Row = Readonly<Record<string, unknown>>
const listed = async (trunk: string) =>
  (await cli.json<Row[]>('numbers', 'list', '--trunk', trunk)).map(({ kind, country, first, last, numbers, state }) =>
    [kind, country ?? 'null', `${String(first)}-${String(last)}`, numbers, state].join(' '),
  )
const remove = (trunk: string, first: number | string, last = first) =>
  cli.json<Row>('numbers', 'remove', '--trunk', trunk, '--first', String(first), '--last', String(last))

async function wait(phone: string) {
  const body = { phone, callback_url: 'http://127.0.0.1:9/' }
  return ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
}

test('removing caller numbers splits, shortens and deletes ranges, and no other trunk changes', async () => {
  const confirmation = `confirmation null ${confirmationFirst}-${confirmationFirst + 31} 32 active`
  const kazakh = 'caller KZ 77000000000-77000009999 10000 active'
  assert.deepEqual(await listed('first'), [kazakh, 'caller RU 70000000000-70000009999 10000 active', confirmation])
  const before = await listed('second')
  const taken = await remove('first', 70000000100, 70000000199)
  assert.deepEqual([taken['caller_numbers'], taken['confirmation_numbers']], [100, 0])
  await remove('first', 70000009000, 70000012000)
  const split = ['caller RU 70000000000-70000000099 100 active', 'caller RU 70000000200-70000008999 8800 active']
  assert.deepEqual(await listed('first'), [kazakh, ...split, confirmation])
  await remove('first', 70000000000, 70000000099)
  assert.deepEqual(await listed('first'), [kazakh, ...split.slice(1), confirmation])
  assert.deepEqual(await listed('second'), before)

  for (const [args, sentence] of [
    [['--trunk', 'first', '--first', '70000000100'], /Trunk first has no number from 70000000100 to 70000000100/],
    [['--trunk', 'third', '--first', '70000000500'], /Trunk third has no number/],
    [['--trunk', 'first', '--first', '5'], /--first takes 7 to 15 digits/],
    [['--trunk', 'first', '--first', '70000000500', '--last', '70000000400'], /Swap them/],
  ] as const) {
    assert.match((await cli.run('numbers', 'remove', ...args)).err, sentence)
  }
  assert.match((await cli.run('numbers', 'list')).out, /^KIND +TRUNK +COUNTRY +FIRST +LAST +NUMBERS +STATE\n/)
  assert.match(
    (await cli.run('numbers', 'list', '--csv')).out,
    /^kind,trunk,country,first,last,numbers,state\ncaller,first,KZ,/,
  )
  const { rows } = await slots.globalDatabase.query<{ details: Row }>(
    `SELECT details FROM action_log WHERE action = 'numbers removed' ORDER BY id LIMIT 1`,
  )
  assert.deepEqual(rows[0]?.details, {
    trunk: 'first',
    first: 70000000100,
    last: 70000000199,
    callerNumbers: 100,
    confirmationNumbers: 0,
  })
})

test('a call that was accepted before its caller number was removed rings and succeeds', async () => {
  const phone = freshNumber('180')
  const { json } = await ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service.bearer })
  for (const trunk of ['first', 'second']) await remove(trunk, 70000000000, 70000099999)
  const info = await settled(base, service, json['vendor_id'])
  assert.equal(info['call_status'], 1)
  const refused = await poll(
    'calls without a caller number',
    () => ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer }),
    ({ status }) => status !== 200,
  )
  assert.equal(refused.json['code'], 5, refused.text)
})

test('a removed confirmation number still matches who was given it, and is given to no one else', async () => {
  const phone = freshNumber('180')
  const waited = await wait(phone)
  const number = String(waited.json['confirmation_number'])
  const trunk = Number(number) < confirmationFirst + 10_000 ? 'first' : 'second'
  await remove(trunk, number)
  assert((await listed(trunk)).includes(`confirmation null ${number}-${number} 1 removed`))
  assert.match((await cli.run('numbers', 'remove', '--trunk', trunk, '--first', number)).err, /has no number/)
  // Every other number too: from the next reading of the table on, no request gets one.
  for (const one of ['first', 'second']) await remove(one, confirmationFirst, confirmationFirst + 20_000)
  const refused = await poll(
    'no number to be left',
    () => wait(freshNumber('180')),
    ({ status }) => status !== 200,
  )
  assert.equal(refused.json['code'], 5, refused.text)

  await call(phone, number)
  assert.equal(outcomes.at(-1), 'matched')
  assert.equal((await settled(base, service, waited.json['vendor_id']))['call_status'], 1)

  // It can be added again to its trunk at once, to another trunk only when it is gone.
  const add = (to: string) => cli.run('numbers', 'add-inbound', '--trunk', to, '--first', number)
  assert.match((await add(trunk === 'first' ? 'second' : 'first')).err, /was removed from trunk .* 10 minutes ago/)
  assert.equal((await add(trunk)).status, 0)
  assert((await listed(trunk)).includes(`confirmation null ${number}-${number} 1 active`))
  await slots.globalDatabase.query(`UPDATE confirmation_numbers SET removed_at = removed_at - interval '10 minutes'`)
  assert.equal((await listed(trunk)).filter((row) => row.startsWith('confirmation')).length, 1)
  assert.equal((await add(trunk)).status, 1)
  await remove(trunk, number)
  const { rows } = await slots.globalDatabase.query<{ count: number }>('SELECT count(*) FROM confirmation_numbers')
  assert.equal(rows[0]?.count, 1, 'numbers that were removed long ago are still there')
})
