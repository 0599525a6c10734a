// The breaker of a prefix and the cap over all services, from calls to refusals and back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { probesMax } from '../../server/src/domain/protection/prefix-breaker.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

// In scaled time, with some slack.
const cooldown = '61 seconds'

// The breaker evaluates once per scaled minute.
const patiently = { timeoutMs: 90_000, intervalMs: 100 }

const watched = await installPhones(1)
// Nobody places these calls: in real time they are still open when the cap is reached, however slow the machine is.
const shared = await installPhones(1, 2)

test('a prefix whose answer rate collapses is blocked, its neighbour is not, and it recovers', async () => {
  const installation = watched
  const { globalDatabase } = installation.slots
  const { base } = await serve(installation, {}, '--roles', 'api,calls')
  // Calls run in real time, so that a slow machine fails none of them; a minute of the breaker takes six seconds.
  await serve(installation, { RINGPROOF_TIME_SCALE: '0.1' }, '--roles', 'keeper')
  const service = await makeService(installation, 1_000)
  const keys = readSecrets(installation.environment['RINGPROOF_SECRETS_DIR'] ?? '')['phone-slot']
  const prefix = '7907700'
  const scope = String(numberPrefix(keys, `${prefix}0000` as PhoneNumber))
  const call = (phone: string) => ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service.bearer })
  const callAll = async (phones: readonly string[]) => {
    const asked = await Promise.all(phones.map(call))
    for (const { json } of asked) if (json['status'] === true) await settled(base, service, json['vendor_id'])
    return asked.filter(({ status }) => status === 200).length
  }
  const phase = async () => {
    const { rows } = await globalDatabase.query<{ phase: string }>(
      'SELECT phase FROM prefix_breakers WHERE scope = $1',
      [scope],
    )
    return rows[0]?.phase
  }
  const reached = (wanted: string) => poll(`phase ${wanted}`, phase, (current) => current === wanted, patiently)
  // Insert days of typical calls to the country instead of waiting for them.
  await asOwner(
    (client) =>
      client.query(
        `INSERT INTO prefix_breakers (scope, phase, since, cooldown_ms, baseline_calls, baseline_answered, baseline_repeats)
         VALUES ('RU', 'closed', now(), 600000, 10000, 8000, 500)`,
      ),
    installation.database.ownerUrl,
  )

  // Forty calls go unanswered, while those to the neighbour ring.
  const failing = ['404', '480', '484', '410'].flatMap((status) => numbers(prefix, status))
  assert.equal(await callAll([...failing, ...numbers('7907701', '586')]), 50)
  await reached('open')
  const refused = await poll(
    'the prefix to be refused',
    () => call(`${prefix}0604`),
    ({ json }) => json['code'] === 50,
    patiently,
  )
  assertRefused(refused, 50, 429)
  assert.match(String(refused.json['error']), /range of numbers are paused/)
  assert(Number(refused.headers.get('retry-after')) >= 1)
  assert.equal((await call('79077010200')).status, 200, 'the neighbour')

  // The cooldown ends, and the minutes that opened the breaker are now half an hour old.
  await asOwner(async (client) => {
    await client.query('UPDATE prefix_breakers SET since = since - $1::interval', [cooldown])
    await client.query('UPDATE prefix_minutes SET minute = minute - $1::interval', [cooldown])
  }, installation.database.ownerUrl)
  await reached('half-open')
  // Only a few probes are let through; they ring, and the prefix is free again.
  const rings = [...numbers(prefix, '586'), ...numbers(prefix, '299')]
  assert.equal(await poll('probes to be let through', () => callAll(rings), Boolean, patiently), probesMax)
  await reached('closed')
  const free = await poll(
    'the prefix to be free',
    () => call(`${prefix}1200`),
    ({ json }) => json['code'] !== 50,
    patiently,
  )
  assert.equal(free.status, 200, free.text)
})

test('a prefix that exceeds the cap over all services is refused to every service, over two databases', async () => {
  const installation = shared
  const settings = { RINGPROOF_PREFIX_HOUR_MAX: '10' }
  const { base, metrics } = await serve(installation, settings, '--roles', 'api,keeper')
  const services = await Promise.all(Array.from({ length: 8 }, () => makeService(installation)))
  const call = (n: number, phone: string) =>
    ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: services[n % 8]?.bearer ?? {} })
  const hour = new Date().getUTCHours()
  // Each service stays below its own caps.
  for (let n = 0; n < 10; n++) assert.equal((await call(n, `7907800${n}180`)).status, 200)
  const refused = await poll(
    'the prefix to be refused to all',
    () => call(7, '79078009404'),
    ({ json }) => json['code'] === 50,
    patiently,
  )
  assertRefused(refused, 50, 429)
  assert.match(String(refused.json['error']), /over all services/)
  if (new Date().getUTCHours() === hour)
    for (let n = 0; n < 8; n++) assertRefused(await call(n, '79078001404'), 50, 429)
  assert.equal((await call(0, '79078010180')).status, 200, 'the neighbour')
  assert.match(await (await fetch(metrics)).text(), /^ringproof_fraud_blocks_total\{rule="prefix-cap-all"\} \d+$/m)
})

// Ten numbers of a prefix, by the outcome of a call to them.
function numbers(prefix: string, scenario: string): readonly string[] {
  return Array.from({ length: 10 }, (_, n) => `${prefix}${n}${scenario}`)
}
