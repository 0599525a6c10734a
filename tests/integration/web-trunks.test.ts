// Trunks by the internal API, over a scripted network: each change takes effect on calls, is in the action log, and is refused to those
// who may not make it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { operatorAs } from '../support/web/people.ts'

const installation = await installPhones(0.05)
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const service = await makeService(installation, 1_000)
const admin = await operatorAs(base, cli, 'admin')

test('limits, order and the connection are changed, and the log says by whom and from what', async () => {
  await admin.call('set-trunk-limits', { name: 'first', channels: 60, callsPerSecond: 12.5 })
  await admin.call('order-trunks', { names: ['second', 'first'] })
  const { trunks } = await admin.call('trunks')
  assert.deepEqual(
    trunks.map(({ name, channels, callsPerSecond }) => [name, channels, callsPerSecond]),
    [
      ['second', 1_000, 1_000],
      ['first', 60, 12.5],
    ],
  )
  const first = trunks[1]
  assert.deepEqual([first?.health.state, first?.health.cause], ['healthy', 'simulated'])
  assert(first && !('passwordSealed' in first))
  const connection = { transport: 'udp', user: 'me', password: 'SECRET-WORD', outboundRegistration: true } as const
  const formats = { calledFormat: 'e164', callerFormat: 'ru-8', callerIdHeader: 'rpid', ringSeconds: 7 } as const
  await admin.call('set-trunk', { name: 'first', address: '192.0.2.9:5070', ...connection, ...formats })
  const { entries } = await admin.call('trunk-log', { name: 'first' })
  assert.deepEqual(entries[0]?.changes.slice(0, 2), ['user: – → me', 'address: – → 192.0.2.9:5070'])
  assert(entries[0]?.changes.includes('ringSeconds: – → 7'))
  assert(entries.some(({ changes }) => changes.includes('channels: 1000 → 60')))
  assert(entries.every(({ who }) => who.endsWith('@example.org')))
  const all = await admin.call('trunks')
  assert(!JSON.stringify([entries, all]).includes('SECRET-WORD'))
  const again = { ...connection, user: null, password: '', outboundRegistration: false }
  await admin.call('set-trunk', { name: 'first', address: '192.0.2.9:5070', ...again, ...formats })
})

test('a draining trunk takes no new call, and takes calls again when it is switched on', async () => {
  for (const name of ['first', 'second']) await admin.call('use-trunk', { name, use: 'drain' })
  await poll('no trunk', startCall, ({ code }) => code === 5)
  const { trunks } = await admin.call('trunks')
  assert.deepEqual(
    trunks.map(({ health }) => health.state),
    ['draining', 'draining'],
  )
  await admin.call('use-trunk', { name: 'second', use: 'on' })
  await poll('a trunk', startCall, ({ status }) => status === true)
})

test('all calls are stopped with a reason and resumed', async () => {
  await admin.call('stop-trunks', { reason: 'toll fraud' })
  await poll('the stop', startCall, ({ code }) => code === 5)
  const stopped = await admin.call('trunks')
  assert.equal(stopped.stop?.reason, 'toll fraud')
  assert.equal(stopped.trunks.find(({ name }) => name === 'second')?.health.cause, 'stopped')
  await admin.call('resume-trunks', {})
  await poll('calls', startCall, ({ status }) => status === true)
})

test('a test call over the scripted network: it rings, the digits are compared, and no number is kept', async () => {
  const phone = freshNumber('180')
  const { id } = await admin.call('start-trunk-test', { name: 'second', phone: `+${phone}`, callerNumber: '' })
  const ended = await poll(
    'the test call',
    () => admin.call('trunk-test', { id: String(id) }),
    ({ endedAt }) => endedAt !== null,
  )
  assert.deepEqual([ended.outcome, ended.sentDigits, ended.phone.includes('***')], ['rang', null, true])
  const { rows } = await installation.slots.globalDatabase.query<{ digits: string; text: string }>(
    `SELECT right(caller_number::text, 4) AS digits, t::text AS text FROM trunk_tests AS t WHERE id = $1`,
    [id],
  )
  assert(!rows[0]?.text.includes(phone))
  const digits = rows[0]?.digits ?? ''
  const other = String((Number(digits) + 1) % 10_000).padStart(4, '0')
  assert.deepEqual(await admin.call('answer-trunk-test', { id, digits: other }), { isIntact: false })
  // The first answer stays.
  assert.deepEqual(await admin.call('answer-trunk-test', { id, digits }), { isIntact: false })
  const { trunks } = await admin.call('trunks')
  assert.equal(trunks.find(({ name }) => name === 'second')?.health.cause, 'caller-id-changed')
  const busy = { name: 'second', phone: freshNumber('503'), callerNumber: '' }
  const refused = await admin.call('start-trunk-test', busy)
  const result = await poll(
    'the refused call',
    () => admin.call('trunk-test', { id: String(refused.id) }),
    ({ endedAt }) => endedAt !== null,
  )
  assert.deepEqual([result.outcome, result.status, result.rangAfterMs], ['refused', 503, null])
})

test('support may place a test call and change nothing; a viewer may only look', async () => {
  const [support, viewer] = [await operatorAs(base, cli, 'support'), await operatorAs(base, cli, 'viewer')]
  const call = { name: 'second', phone: freshNumber('180'), callerNumber: '' }
  await support.call('start-trunk-test', call)
  const limits = { name: 'second', channels: 1, callsPerSecond: 1 }
  assert.equal((await support.refused('set-trunk-limits', limits)).body.error, 'forbidden')
  assert.equal((await viewer.refused('start-trunk-test', call)).body.error, 'forbidden')
  assert.equal((await viewer.call('trunks')).trunks.length, 2)
})

test('what cannot be is refused: a bad number, an unknown trunk, a trunk with numbers', async () => {
  const refusals = [
    ['start-trunk-test', { name: 'second', phone: '12345', callerNumber: '' }],
    ['start-trunk-test', { name: 'nobody', phone: freshNumber('180'), callerNumber: '' }],
    ['use-trunk', { name: 'nobody', use: 'on' }],
    ['remove-trunk', { name: 'first', isWithNumbers: false }],
  ] as const
  for (const [name, input] of refusals) assert.equal((await admin.refused(name, input)).body.error, 'invalid', name)
  await admin.call('remove-trunk', { name: 'first', isWithNumbers: true })
  assert.deepEqual(
    (await admin.call('trunks')).trunks.map(({ name }) => name),
    ['second'],
  )
})

async function startCall(): Promise<Record<string, unknown>> {
  return (await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })).json
}
