// The breaker of a prefix and the cap over all services, from calls to refusals and back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probesMax } from '../../server/src/domain/fraud/prefix-breaker.ts'
import { numberPrefix } from '../../server/src/domain/numbers/number-prefix.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { readSecrets } from '../../server/src/secrets.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

// By the clock of the watch, and a little more.
const cooldown = '61 seconds'

// The watch looks once a minute of its own clock.
const patiently = { timeoutMs: 90_000, intervalMs: 100 }

const watched = await installPhones(1)
const shared = await installPhones(0.1, 2)

test('a prefix whose calls stop being answered is blocked, its neighbour is not, and it recovers', async () => {
  const installation = watched
  const { globalDatabase } = installation.slots
  const { base } = await serve(installation, {}, '--roles', 'api,calls')
  // Calls go by real time, so that a slow machine gives none of them up; a minute of the watch takes six seconds.
  await serve(installation, { RINGPROOF_TIME_SCALE: '0.1' }, '--roles', 'keeper')
  const service = await makeService(installation, 1_000)
  const keys = readSecrets(installation.environment['RINGPROOF_SECRETS_DIR'] ?? '')['phone-slot']
  const prefix = '7916700'
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
  // Days of calls that are usual in the country, without waiting for them.
  await asOwner(
    (client) =>
      client.query(
        `INSERT INTO prefix_breakers (scope, phase, since, cooldown_ms, baseline_calls, baseline_answered, baseline_repeats)
         VALUES ('RU', 'closed', now(), 600000, 10000, 8000, 500)`,
      ),
    installation.database.ownerUrl,
  )

  // Forty calls reach nobody, while those to the neighbour ring.
  const failing = ['404', '480', '484', '410'].flatMap((status) => numbers(prefix, status))
  assert.equal(await callAll([...failing, ...numbers('7916701', '586')]), 50)
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
  assert.equal((await call('79167010200')).status, 200, 'the neighbour')

  // The cooldown passes, and with it the minutes that opened the breaker: all of it lies half an hour back from now on.
  await asOwner(async (client) => {
    await client.query('UPDATE prefix_breakers SET since = since - $1::interval', [cooldown])
    await client.query('UPDATE prefix_minutes SET minute = minute - $1::interval', [cooldown])
  }, installation.database.ownerUrl)
  await reached('half-open')
  // A few calls are let through, and no more; they ring, and the prefix is free again.
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

test('what all services together call too often is refused to all of them, over two databases', async () => {
  const installation = shared
  const settings = { RINGPROOF_PREFIX_HOUR_MAX: '10' }
  const { base, metrics } = await serve(installation, settings, '--roles', 'api,keeper')
  const services = await Promise.all(Array.from({ length: 8 }, () => makeService(installation)))
  const call = (n: number, phone: string) =>
    ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: services[n % 8]?.bearer ?? {} })
  const hour = new Date().getUTCHours()
  // Each of them stays below any cap of its own.
  for (let n = 0; n < 10; n++) assert.equal((await call(n, `7916800${n}180`)).status, 200)
  const refused = await poll(
    'the prefix to be refused to all',
    () => call(7, '79168009404'),
    ({ json }) => json['code'] === 50,
    patiently,
  )
  assertRefused(refused, 50, 429)
  assert.match(String(refused.json['error']), /over all services/)
  if (new Date().getUTCHours() === hour)
    for (let n = 0; n < 8; n++) assertRefused(await call(n, '79168001404'), 50, 429)
  assert.equal((await call(0, '79168010180')).status, 200, 'the neighbour')
  assert.match(await (await fetch(metrics)).text(), /^ringproof_fraud_blocks_total\{rule="prefix-cap-all"\} \d+$/m)
})

// Ten numbers of a prefix, with what becomes of a call to them.
function numbers(prefix: string, scenario: string): readonly string[] {
  return Array.from({ length: 10 }, (_, n) => `${prefix}${n}${scenario}`)
}
