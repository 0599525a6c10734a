// A new service starts with the installation's default caps, so that a stolen key costs no more than they allow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'

const installation = await installPhones(0.05)
const actor = { address: 'test', userAgent: '', operator: 'test' }
const owner = { email: 'caps@example.org', balance: 100_000_000 as MicroAmount, tariff: 'uni' }
const account = await createAccount({ ...installation, randomBytes: () => Uint8Array.of(1) }, actor, owner)

const cliWith = (settings: Record<string, string>) => createCli({ ...installation.environment, ...settings })
const created = ['services', 'create', '--account', String(account), '--name', 'Shop']
const create = (settings: Record<string, string>, ...options: string[]) =>
  cliWith(settings).json<{ service_id: number; key: string }>(...created, ...options)
const capsOf = async (id: number) => {
  const shown = await cliWith({}).json<Record<string, unknown>>('services', 'show', String(id))
  return [shown['verifications_hour_max'], shown['verifications_day_max'], shown['spend_day_max']]
}

test('a new service has the caps of config.default.env, the environment or its own options', async () => {
  assert.deepEqual(await capsOf((await create({})).service_id), [600, 5_000, 5_000_000_000])
  const settings = { RINGPROOF_SERVICE_VERIFICATIONS_HOUR_MAX: '7', RINGPROOF_SERVICE_SPEND_DAY_MAX: 'none' }
  assert.deepEqual(await capsOf((await create(settings)).service_id), [7, 5_000, null])
  const own = await create(settings, '--verifications-hour-max', 'none', '--geography', 'KZ')
  assert.deepEqual(await capsOf(own.service_id), [null, 5_000, null])
  const wrong = await cliWith({ RINGPROOF_SERVICE_VERIFICATIONS_DAY_MAX: 'many' }).run(...created)
  assert.match(wrong.err, /RINGPROOF_SERVICE_VERIFICATIONS_DAY_MAX: must be n\|none/)
})

test('a stolen key of a new service starts no more calls than its caps allow, under concurrent requests', async () => {
  const { base } = await serve(installation)
  const { key, service_id: id } = await create({ RINGPROOF_SERVICE_VERIFICATIONS_HOUR_MAX: '5' })
  const headers = { authorization: `Bearer ${key}.${id}` }
  const asked = await Promise.all(
    Array.from({ length: 30 }, () => ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers })),
  )
  const refused = asked.filter(({ status }) => status !== 200)
  assert.equal(asked.length - refused.length, 5)
  for (const each of refused) assertRefused(each, 50, 429)
  assert.match(String(refused[0]?.json['error']), /verifications an hour/)
})
