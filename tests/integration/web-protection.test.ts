// Protection by the internal API: the same actions as the CLI, in the audit log with the person, and refused to viewers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const installation = await installPhones(0.05)
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base, output } = await serve(installation, settings)
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const service = await makeService(installation)
const admin = await createOperator(installation, base, 'admin')

test('a number is looked up, opted out and taken off the list, with a reason and without a trace of it', async () => {
  const { visitor, email } = await createOperator(installation, base, 'support')
  const phone = freshNumber('180')
  const written = `+${phone.slice(0, 1)} (${phone.slice(1, 4)}) ${phone.slice(4)}`
  const mask = `${phone.slice(0, 4)}***${phone.slice(-4)}`
  const call = () => ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service.bearer })
  assert.deepEqual(await visitor.call('find-opt-out', { phone: written }), { mask, since: null })
  assert.deepEqual(await visitor.call('add-opt-out', { phone: written, reason: 'wrote to us' }), { mask, isNew: true })
  assert.match((await cli.run('opt-outs', 'add', '--phone', phone)).out, /was already opted out/)
  assertRefused(await call(), 3, 400)
  const { since } = await visitor.call('find-opt-out', { phone })
  assert(since !== null && Math.abs(Date.now() - since) < 60_000)
  assert.deepEqual(await visitor.call('remove-opt-out', { phone, reason: 'by mistake' }), { mask, wasThere: true })
  assert.equal((await call()).status, 200)
  const { rows } = await installation.slots.globalDatabase.query<{ action: string; reason: string; row: string }>(
    `SELECT action, coalesce(details ->> 'reason', '') AS reason, l::text AS row FROM action_log AS l
     WHERE details ->> 'user' = $1 AND action LIKE 'opt-out%' ORDER BY id`,
    [email],
  )
  assert.deepEqual(
    rows.map(({ action, reason }) => [action, reason]),
    [
      ['opt-out searched by number', ''],
      ['opt-out added', 'wrote to us'],
      ['opt-out searched by number', ''],
      ['opt-out removed', 'by mistake'],
    ],
  )
  for (const text of [output(), ...rows.map(({ row }) => row)]) assert(!text.includes(phone))
  await assert.rejects(visitor.call('find-opt-out', { phone: 'hello' }), /invalid/)
  await assert.rejects(visitor.call('add-opt-out', { phone: '79000000001', reason: 'x' }), /invalid/)
})

test('a level is shown with what it sets, and holds after it is chosen; rules count their hits', async () => {
  const { visitor } = admin
  const before = await visitor.call('protection')
  assert.deepEqual([before.level, before.isSet], [null, false])
  const max = before.levels.find(({ level }) => level === 'max') ?? assert.fail()
  await visitor.call('set-fraud-limits', { ...max.limits })
  const set = await visitor.call('protection')
  assert.deepEqual([set.level, set.isSet, set.limits], ['max', true, max.limits])

  await visitor.call('set-fraud-limits', { 'prefix-cap': 1 })
  const blocked = await poll(
    'the limit to hold',
    () => ask(`${base}/v1.0/initCall?phone=${freshInRange()}`, { headers: service.bearer }),
    ({ json }) => json['code'] === 50,
  )
  assertRefused(blocked, 50, 429)
  const shown = await poll(
    'the hit to be counted',
    () => visitor.call('protection'),
    ({ rules }) => rules.some(({ rule, hitsDay }) => rule === 'prefix-cap' && hitsDay > 0),
  )
  const rule = shown.rules.find((one) => one.rule === 'prefix-cap')
  assert.equal(rule?.hitsWeek, rule?.hitsDay)
  assert(Math.abs(Date.now() - (rule?.lastAt ?? 0)) < 60_000)
  const hit = shown.hits.find((one) => one.rule === 'prefix-cap')
  assert.deepEqual([hit?.prefix, hit?.serviceId], ['7907321', service.serviceId])
})

test('a viewer reads protection and changes nothing; support replays and unblocks, but sets no limit', async () => {
  const { visitor: viewer } = await createOperator(installation, base, 'viewer')
  const { visitor: support } = await createOperator(installation, base, 'support')
  await viewer.call('protection')
  const candidates = [{ rule: 'prefix-cap' as const, callsMax: 2 }]
  const scope = '5'
  for (const refused of [
    () => viewer.call('replay-fraud-rules', { days: 1, candidates }),
    () => viewer.call('set-fraud-limits', { breaker: null }),
    () => viewer.call('unblock-prefix', { scope, reason: 'x' }),
    () => viewer.call('find-opt-out', { phone: '79070000123' }),
    () => viewer.call('add-opt-out', { phone: '79070000123', reason: 'x' }),
    () => support.call('set-fraud-limits', { breaker: null }),
    () => support.call('allow-prefix', { scope, reason: 'x' }),
    () => support.call('end-prefix-allowance', { scope }),
  ])
    await assert.rejects(refused(), /forbidden/)
  const replayed = await support.call('replay-fraud-rules', { days: 1, candidates })
  assert(replayed.calls > 0 && replayed.rules[0]?.callsMax === 2)
  await support.call('unblock-prefix', { scope, reason: 'maintenance of the carrier is over' })
  const { allowed } = await viewer.call('protection')
  assert(allowed.some((one) => one.scope === scope && one.until !== null))
})

let digit = 0

function freshInRange(): string {
  return `7907321${digit++ % 10}${['180', '586', '404'][Math.floor(digit / 10) % 3]}`
}
