// Opt-outs and prefix caps: exact over processes and databases, and a refusal leaves nothing behind.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { type Cli, createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { type Installation, makeService, serve, type TestService } from '../support/process/server.ts'

const one = await installPhones(0.05)
const two = await installPhones(0.05, 2)
const cli = createCli(one.environment)
const hook = encodeURIComponent('http://127.0.0.1/hook')

test('initCall and inboundCallWaiting refuse an opted-out number with code 3, over one and two databases', async () => {
  for (const installation of [one, two]) {
    const { base, output } = await serve(installation)
    const operator = createCli(installation.environment)
    const service = await serviceIn(installation, 0)
    const other = await serviceIn(installation, 63)
    // Over two databases every number is in the database of one of the two accounts and not in that of the other.
    for (let n = 0; n < 2; n++) {
      const phone = freshNumber('180')
      const call = ({ bearer }: TestService, method = 'initCall', more = '') =>
        ask(`${base}/v1.0/${method}?phone=${phone}${more}`, { headers: bearer })
      assert.deepEqual(await optOuts(operator, 'add', phone), { ...masked(phone), opted_out: true })
      for (const apiClient of [service, other]) {
        assertRefused(await call(apiClient), 3, 400)
        assertRefused(await call(apiClient, 'inboundCallWaiting', `&callback_url=${hook}`), 3, 400)
        assertRefused(await call(apiClient, 'initCall', `&unique=${randomUUID()}`), 3, 400)
      }
      assert.match((await operator.run('opt-outs', 'add', '--phone', phone)).out, /was already opted out/)
      assert.deepEqual(await optOuts(operator, 'remove', phone), { ...masked(phone), opted_out: false })
      // A refusal counts against no limit of the number.
      assert.equal((await call(other)).status, 200)
      assert(!output().includes(phone))
    }
    const { json } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
    assert.equal(json['rub_balance'], 100)
    assert.deepEqual((await auditLedger(installation)).faults, [])
  }
})

test('opt-outs reads the number from standard input, and neither prints nor stores it', async () => {
  const phone = freshNumber('180')
  const program = fileURLToPath(new URL('../../server/bin/ringproof.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'opt-outs', 'add', '--phone', '-'], {
    env: { PATH: process.env['PATH'], ...one.environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`+${phone}\n`)
  const said = await text(child.stdout)
  assert.match(said, /^\d{4}\*\*\*\d{4} is now opted out\.\n$/)
  assert(!said.includes(phone))
  const { rows } = await one.slots.globalDatabase.query<{ row: string }>(
    'SELECT l::text AS row FROM action_log AS l UNION ALL SELECT o::text FROM opt_outs AS o',
  )
  assert(rows.some(({ row }) => row.includes('opt-out added')))
  assert(!rows.some(({ row }) => row.includes(phone)))
  assert.match((await cli.run('opt-outs', 'add', '--phone', '79000000001')).err, /Test numbers/)
  assert.match((await cli.run('opt-outs', 'add', '--phone', '8916')).err, /7 to 15 digits/)
})

test('200 calls to a prefix with a cap of 20: exactly 20 are accepted and charged, over two processes', async () => {
  const processes = await Promise.all([serve(one), serve(one)])
  const service = await makeService(one, 1_000, { ...noCaps, 'prefix-hour-max': '20' })
  const hour = new Date().getUTCHours()
  const prefix = `79079${randomInt(10, 99)}`
  const asked = await inTurns(
    Array.from({ length: 200 }, (_, n) => n),
    (n) =>
      ask(`${processes[n % 2]?.base}/v1.0/initCall?phone=${prefix}${String(n).padStart(4, '0')}`, {
        headers: service.bearer,
      }),
  )
  const refused = asked.filter(({ status }) => status !== 200)
  // If the hour ends meanwhile, the test starts again.
  if (new Date().getUTCHours() !== hour) return
  assert.equal(asked.length - refused.length, 20)
  for (const each of refused) assertRefused(each, 50, 429)
  assert.match(String(refused[0]?.json['error']), /range of numbers/)
  const retryAfter = Number(refused[0]?.headers.get('retry-after'))
  assert(retryAfter >= 1 && retryAfter <= 3_600, String(retryAfter))
  const base = processes[0]?.base ?? ''
  // Another prefix, test numbers and another service are not refused.
  for (const [phone, { bearer }] of [
    [freshNumber('180'), service],
    ['79000000001', service],
    [`${prefix}9180`, await makeService(one)],
  ] as const) {
    assert.equal((await ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: bearer })).status, 200)
  }
  for (const { json, status } of asked) if (status === 200) await settled(base, service, json['vendor_id'])
  const { rows } = await one.slots.globalDatabase.query(
    'SELECT id FROM ledger WHERE account_id = $1 AND to_account = $2',
    [service.accountId, 'held'],
  )
  assert.equal(rows.length, 21)
})

test('a service without a prefix cap is still bound by the cap over all services', async () => {
  const { base } = await serve(one, { RINGPROOF_PREFIX_HOUR_MAX: '3' }, '--roles', 'api')
  const { bearer } = await makeService(one)
  const hour = new Date().getUTCHours()
  const codes: unknown[] = []
  for (let n = 0; n < 6; n++) {
    const { json } = await ask(`${base}/v1.0/initCall?phone=7917555${n}180`, { headers: bearer })
    codes.push(json['status'] === true ? 'accepted' : json['code'])
  }
  if (new Date().getUTCHours() !== hour) return
  assert.deepEqual(codes, ['accepted', 'accepted', 'accepted', 50, 50, 50])
})

test('quiet hours refuse calls by the zone of the number, else of the service; test numbers and inbound are exempt', async () => {
  const { base } = await serve(one, {}, '--roles', 'api')
  const { bearer, serviceId } = await makeService(one)
  const wall = (shiftMs: number) =>
    new Date(Date.now() + shiftMs).toLocaleTimeString('en-GB', {
      timeZone: 'Asia/Almaty',
      hour: '2-digit',
      minute: '2-digit',
    })
  // An hour around now in Kazakhstan, which is two hours ahead of Moscow.
  const quiet = `${wall(-3_600_000)}-${wall(3_600_000)}`
  const set = (...options: string[]) => cli.run('services', 'set', String(serviceId), ...options)
  assert.match((await set('--quiet-hours', quiet)).out, new RegExp(`quiet-hours: off → ${quiet}`))
  const call = (phone: string, method = 'initCall', more = '') =>
    ask(`${base}/v1.0/${method}?phone=${phone}${more}`, { headers: bearer })
  const kazakh = await call('77015550180')
  assertRefused(kazakh, 50, 429)
  assert.match(String(kazakh.json['error']), new RegExp(`from ${quiet.replace('-', ' to ')} there`))
  const retryAfter = Number(kazakh.headers.get('retry-after'))
  assert(retryAfter > 3_400 && retryAfter <= 3_660, String(retryAfter))
  assert.equal((await call(freshNumber('180'))).status, 200)
  assert.equal((await call('79000000001')).status, 200)
  assert.equal((await call('77015550180', 'inboundCallWaiting', `&callback_url=${hook}`)).status, 200)
  // The server is notified of a setting a moment after it was stored.
  const inEffect = (status: number) =>
    poll(
      'the setting to take effect',
      () => call(freshNumber('180')),
      (asked) => asked.status === status,
    )
  await set('--time-zone', 'Asia/Almaty')
  assertRefused(await inEffect(429), 50, 429)
  assert.match((await set('--quiet-hours', '22-8')).err, /quiet-hours takes hh:mm-hh:mm\|off/)
  assert.match((await set('--time-zone', 'Mars/Olympus')).err, /time-zone takes Area\/City/)
  await set('--quiet-hours', 'off')
  await inEffect(200)
})

test('every block is counted, logged with rule and request ID, and listed by fraud hits without a number', async () => {
  // In real time: rows are limited per minute.
  const { base, metrics, output, stop } = await serve(one, { RINGPROOF_TIME_SCALE: '1' }, '--roles', 'api')
  const service = await makeService(one, 100, { ...noCaps, 'verifications-hour-max': '0' })
  const phone = freshNumber('180')
  await optOuts(cli, 'add', phone)
  const asked = []
  for (const number of [phone, phone, freshNumber('180')]) {
    asked.push(await ask(`${base}/v1.0/initCall?phone=${number}`, { headers: service.bearer }))
  }
  // More prefixes than a minute has rows for. A slow machine may need more than a minute.
  const many = Array.from({ length: 150 }, (_, n) => `7907${700 + n}0180`)
  const startedMs = Date.now()
  await inTurns(many, (number) => ask(`${base}/v1.0/initCall?phone=${number}`, { headers: service.bearer }))
  const minutes = Math.floor(Date.now() / 60_000) - Math.floor(startedMs / 60_000) + 1
  const counted = await (await fetch(metrics)).text()
  assert.match(counted, /^ringproof_fraud_blocks_total\{rule="opt-out"\} 2$/m)
  assert.match(counted, /^ringproof_fraud_blocks_total\{rule="service-cap"\} 151$/m)
  for (const { headers } of asked) {
    const line = output()
      .split('\n')
      .find((entry) => entry.includes(headers.get('x-request-id') ?? 'none'))
    assert.match(line ?? '', /"rule":"(opt-out|service-cap)"/)
  }
  await stop()
  const hits = (...options: string[]) =>
    cli.json<{ rule: string; hits: number; prefix: string | null; service_id: number }[]>(
      'fraud',
      'hits',
      '--service',
      String(service.serviceId),
      ...options,
    )
  const optedOut = await hits('--rule', 'opt-out')
  assert.deepEqual(
    optedOut.map(({ rule, hits: count, prefix }) => [rule, count, prefix]),
    [['opt-out', 2, `${phone.slice(0, -4)}****`]],
  )
  const capped = await hits('--since', '30m', '--rule', 'service-cap')
  assert.equal(
    capped.reduce((sum, { hits: count }) => sum + count, 0),
    151,
  )
  assert(capped.length <= 101 * minutes)
  if (minutes === 1) assert(capped.some(({ prefix, hits: count }) => prefix === null && count > 40))
  const listed = await cli.run('fraud', 'hits')
  assert.match(listed.out, /opt-out +\d+ +\d+\*\*\*\* +2/)
  for (const said of [output(), listed.out]) assert(!said.includes(phone))
  const { rows } = await one.slots.globalDatabase.query<{ row: string }>('SELECT h::text AS row FROM fraud_hits AS h')
  assert(!rows.some(({ row }) => row.includes(phone.slice(0, -4))))
  assert.match((await cli.run('fraud', 'hits', '--rule', 'x')).err, /--rule takes one of/)
  assert.match((await cli.run('fraud', 'hits', '--since', 'ever')).err, /--since takes a duration/)
})

// Many in parallel, but fewer than the concurrency limit of an account.
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let first = 0; first < items.length; first += 25) {
    results.push(...(await Promise.all(items.slice(first, first + 25).map(work))))
  }
  return results
}

async function serviceIn(installation: Installation, slot: number): Promise<TestService> {
  for (;;) {
    const service = await makeService(installation)
    if (slotOfAccount(service.accountId) < 32 === slot < 32) return service
  }
}

function optOuts(operator: Cli, verb: string, phone: string): Promise<unknown> {
  return operator.json('opt-outs', verb, '--phone', phone)
}

function masked(phone: string) {
  return { phone: `${phone.slice(0, 4)}***${phone.slice(-4)}` }
}
