// A rule is replayed on past calls, switched on, and then refuses exactly the calls that the replay named. Ranges are unblocked,
// allowed and blocked again; every change is in the audit log.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { replayFraudRules } from '../../server/src/actions/protection/fraud-rules.ts'
import { readPastCalls } from '../../server/src/db/verifications/past-call.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { createReplay } from '../../server/src/domain/protection/replay-rule.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await installPhones(0.05, 2)
const cli = createCli(installation.environment)
// Without a limit, nothing is counted: the calls of a pattern start at zero when a limit is set.
await set('prefix-cap-all', 'off')
const { base } = await serve(installation)
const callsMax = 3
const deps = { slots: installation.slots, nowSeconds: () => Math.floor(Date.now() / 1_000) }

type Replayed = {
  calls: number
  succeeded: number
  whole_period: boolean
  rules: { rule: string; limit: number; blocked: number; succeeded: number; services: number }[]
}
type Blocked = {
  blocked: { scope: string; prefix: string; rule: string; service_id: number | null; own_limit: number | null }[]
  allowed: { scope: string; prefix: string; until: string | null; reason: string }[]
}

test('a replayed cap names exactly the calls that the live cap then refuses, over two databases', async () => {
  const services = await Promise.all(Array.from({ length: 3 }, () => makeService(installation, 1_000)))
  const hour = new Date().getUTCHours()
  const prefixes = freshPrefixes(3)
  // Each number is called once; some ring, some do not.
  const pattern = shuffled(
    prefixes.flatMap((prefix) =>
      ['180', '586', '299', '404', '480', '484', '410'].flatMap((scenario) =>
        [0, 1, 2, 3].map((digit) => ({ prefix, scenario, digit, service: services[randomInt(3)] })),
      ),
    ),
  )
  const send = async (digitAhead: number) => {
    const sent = []
    for (const { prefix, scenario, digit, service } of pattern)
      sent.push(await call(service, `${prefix}${digit + digitAhead}${scenario}`))
    return sent
  }
  const past = await send(0)
  const results: { readonly id: number; readonly isSucceeded: boolean }[] = []
  for (const [n, { json, text }] of past.entries()) {
    assert.equal(json['status'], true, text)
    const { call_status: status } = await settled(base, pattern[n]?.service ?? assert.fail(), json['vendor_id'])
    results.push({ id: Number(json['vendor_id']), isSucceeded: status === 1 })
  }

  // What the replay says: the number of calls, and which.
  const replayed = await cli.json<Replayed>(
    'fraud',
    'set',
    '--dry-run',
    ...limit('prefix-cap', callsMax),
    '--days',
    '1',
  )
  const named = await namedByReplay(results.map(({ id }) => id))
  const [rule] = replayed.rules
  if (new Date().getUTCHours() !== hour) return
  assert(named.size > 20 && named.size < pattern.length, `${named.size} of ${pattern.length}`)

  // What really happens to the same calls, to other numbers of the same ranges.
  await cli.json('fraud', 'set', ...limit('prefix-cap', callsMax))
  await capOf(callsMax)
  const live = await send(5)
  if (new Date().getUTCHours() !== hour) return
  const refused = live.flatMap((one, n) => (one.json['status'] === true ? [] : [n]))
  for (const n of refused) assertRefused(live[n] ?? assert.fail(), 50, 429)
  assert.deepEqual(
    refused,
    results.flatMap(({ id }, n) => (named.has(id) ? [n] : [])),
  )
  const succeeded = refused.filter((n) => results[n]?.isSucceeded)
  assert.deepEqual([rule?.blocked, rule?.succeeded], [refused.length, succeeded.length])
  assert(succeeded.length > 0 && succeeded.length < refused.length)
  assert.equal(replayed.whole_period, true)
})

test('a replay reads no more calls than its limit, and says which period it covered', async () => {
  const service = await makeService(installation)
  await set('prefix-cap', 'off')
  await capOf(undefined)
  const [prefix = ''] = freshPrefixes(1)
  for (let digit = 0; digit < 10; digit++) assert.equal((await call(service, `${prefix}${digit}180`)).status, 200)
  const candidates = [{ rule: 'prefix-cap', callsMax: 2 }] as const
  const whole = await replayFraudRules(deps, { days: 2, candidates })
  const all = whole.calls
  assert.equal(whole.isWhole, true)
  assert(whole.rules[0] && whole.rules[0].blocked >= 8)
  const cut = await replayFraudRules(deps, { days: 2, candidates }, 9)
  assert.equal(cut.isWhole, false)
  assert(cut.calls <= 9 && cut.fromMs > whole.fromMs, `${cut.calls} from ${cut.fromMs}`)
  const exact = await replayFraudRules(deps, { days: 2, candidates }, all)
  assert.deepEqual([exact.isWhole, exact.calls], [true, all])
})

test('a blocked range is unblocked, allowed and blocked again, and each change is audited', async () => {
  const service = await makeService(installation)
  const own = await makeService(installation, 100, { ...noCaps, 'prefix-hour-max': '1' })
  const hour = new Date().getUTCHours()
  const [prefix = '', other = ''] = freshPrefixes(2)
  await cli.json('fraud', 'set', ...limit('prefix-cap', 2))
  await capOf(2)
  for (const digit of [0, 1]) assert.equal((await call(service, `${prefix}${digit}180`)).status, 200)
  assertRefused(await call(service, `${prefix}2180`), 50, 429)
  assert.equal((await call(own, `${other}0180`)).status, 200)
  assertRefused(await call(own, `${other}1180`), 50, 429)
  const listed = await poll(
    'the hits to be written',
    () => cli.json<Blocked>('fraud', 'show'),
    ({ blocked }) => [prefix, other].every((one) => blocked.some((entry) => entry.prefix === `${one}****`)),
  )
  if (new Date().getUTCHours() !== hour) return
  const entry = listed.blocked.find((one) => one.prefix === `${prefix}****`) ?? assert.fail()
  assert.deepEqual([entry.rule, entry.service_id, entry.own_limit], ['prefix-cap', service.serviceId, null])
  assert.equal(listed.blocked.find((one) => one.prefix === `${other}****`)?.own_limit, 1)

  const accepted = (digit: number) =>
    poll(
      'the range to be free',
      () => call(service, `${prefix}${digit}180`),
      ({ json }) => json['code'] !== 50,
    )
  await cli.json('fraud', 'allow', entry.scope, '--reason', 'a campaign of the customer')
  assert.equal((await accepted(3)).status, 200)
  const during = await cli.json<Blocked>('fraud', 'show')
  assert(!during.blocked.some(({ scope }) => scope === entry.scope))
  const [allowance] = during.allowed
  assert.deepEqual([allowance?.scope, allowance?.prefix], [entry.scope, `${prefix}****`])
  assert(Date.parse(allowance?.until ?? '') - Date.now() < 3_660_000)
  await cli.json('fraud', 'allow', entry.scope, '--for-good', '--reason', 'a partner')
  assert.equal((await cli.json<Blocked>('fraud', 'show')).allowed[0]?.until, null)
  assert.equal((await accepted(4)).status, 200)
  await cli.json('fraud', 'allow', entry.scope, '--end')
  const again = await poll(
    'the range to be blocked again',
    () => call(service, `${prefix}${randomInt(10)}586`),
    ({ json }) => json['code'] === 50,
  )
  assertRefused(again, 50, 429)
  assert.match((await cli.run('fraud', 'allow', entry.scope, '--end')).err, /is not let through/)
  assert.match((await cli.run('fraud', 'allow', entry.scope, '--end', '--for-good')).err, /either --for-good or --end/)
  assert.match((await cli.run('fraud', 'allow', entry.scope)).err, /--reason is missing/)
  assert.match((await cli.run('fraud', 'allow', 'x', '--reason', 'y')).err, /no range or country/)

  const { rows } = await installation.slots.globalDatabase.query<{ action: string; details: Record<string, unknown> }>(
    `SELECT action, details FROM action_log WHERE details ->> 'scope' = $1 ORDER BY id`,
    [entry.scope],
  )
  assert.deepEqual(
    rows.map(({ action, details }) => [action, (details['before'] as { allowed: string }).allowed]),
    [
      ['range unblocked', 'no'],
      ['range allowed', allowance?.until],
      ['range no longer allowed', 'for good'],
    ],
  )
  assert(!JSON.stringify(rows).includes(prefix))
})

test('a level sets all limits at once; the log has the limits before and after', async () => {
  const shown = () => cli.json<{ level: string | null; limits: Record<string, number> }>('fraud', 'show')
  await cli.json('fraud', 'set', '--level', 'standard')
  assert.deepEqual((await shown()).level, 'standard')
  await cli.json('fraud', 'set', '--level', 'max')
  assert.deepEqual(await cli.json('fraud', 'set', ...limit('breaker', 15)), {
    'prefix-cap': 20,
    'prefix-cap-all': 60,
    breaker: 15,
  })
  assert.deepEqual((await shown()).level, null)
  const { rows } = await installation.slots.globalDatabase.query<{ details: unknown }>(
    `SELECT details FROM action_log WHERE action = 'fraud limits set' ORDER BY id DESC LIMIT 2`,
  )
  assert.deepEqual(rows.map(({ details }) => details).toReversed(), [
    {
      before: { 'prefix-cap': 50, 'prefix-cap-all': 200, breaker: 20, level: 'standard' },
      after: { 'prefix-cap': 20, 'prefix-cap-all': 60, breaker: 10, level: 'max' },
    },
    { before: { breaker: 10, level: 'max' }, after: { breaker: 15, level: null } },
  ])
  for (const [options, sentence] of [
    [['--level', 'high'], /--level takes one of/],
    [['--rule', 'opt-out', '--limit', '5'], /--rule takes one of/],
    [['--rule', 'breaker', '--limit', '0'], /--limit takes a number/],
    [['--rule', 'breaker'], /either --level, or --rule and --limit/],
  ] as const) {
    assert.match((await cli.run('fraud', 'set', ...options)).err, sentence)
  }
})

// The calls that the rule would have refused, out of these.
async function namedByReplay(ids: readonly number[]): Promise<ReadonlySet<number>> {
  const pages = await Promise.all(
    installation.slots.databases.map((database) =>
      readPastCalls(database, { firstId: 0, endId: Number.MAX_SAFE_INTEGER }, 10_000),
    ),
  )
  const refuses = createReplay({ rule: 'prefix-cap', callsMax }, new Set())
  const calls = pages.flatMap((page) => page.calls).toSorted((a, b) => a.atMs - b.atMs)
  return new Set(calls.filter((one) => refuses(one) && ids.includes(one.id)).map(({ id }) => id))
}

// Waits until the server uses the limit: a range that nothing else calls is refused after so many calls, or never.
async function capOf(expected: number | undefined): Promise<void> {
  const service = await makeService(installation)
  await poll(
    `a cap of ${expected ?? 'none'}`,
    async () => {
      const [prefix = ''] = freshPrefixes(1)
      for (let digit = 0; digit <= (expected ?? callsMax); digit++) {
        if ((await call(service, `${prefix}${digit}404`)).json['code'] === 50) return digit
      }
      return undefined
    },
    (refusedAt) => refusedAt === expected,
  )
}

let nextPrefix = randomInt(100, 300)

function freshPrefixes(count: number): readonly string[] {
  return Array.from({ length: count }, () => `7907${nextPrefix++}`)
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: randomInt(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function limit(rule: string, calls: number): readonly string[] {
  return ['--rule', rule, '--limit', String(calls)]
}

function set(rule: string, to: string): Promise<unknown> {
  return cli.json('fraud', 'set', '--rule', rule, '--limit', to)
}

function call(service: TestService | undefined, phone: string) {
  return ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service?.bearer ?? {} })
}
