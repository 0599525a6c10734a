// A running server for a test file: its own database and keys, and `ringproof serve` as a process.

import { randomBytes } from 'node:crypto'
import { freePort } from '../../../scripts/stack/ports.ts'
import { createAccount } from '../../../server/src/actions/create-account.ts'
import { createService } from '../../../server/src/actions/create-service.ts'
import { createSlotMap, type SlotMap } from '../../../server/src/db/slot-map.ts'
import { noCaps } from '../../../server/src/domain/accounts/service.ts'
import type { KeyRing } from '../../../server/src/domain/crypto/sealing.ts'
import type { MicroRoubles } from '../../../server/src/domain/money/money.ts'
import { type AccountId, type ServiceId, slotsAll } from '../../../server/src/domain/slot.ts'
import { makeMissingSecrets, readSecrets } from '../../../server/src/secrets.ts'
import { atEnd } from '../at-end.ts'
import { type TestDatabase, testDatabase } from '../database/test-database.ts'
import { fileDirectory } from '../temporary-directory.ts'
import { type Environment, type Running, start } from './cli.ts'

export type Installation = {
  readonly environment: Environment
  readonly database: TestDatabase
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
}

export type Served = {
  readonly base: string
  readonly metrics: string
  readonly alternative: string
  readonly running: Running
  // Its output so far.
  readonly output: () => string
}

export type TestService = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly key: string
  readonly webhookSecret: string
  readonly bearer: { readonly authorization: string }
}

// Everything a process needs; nothing runs yet.
export async function install(shards: 1 | 2 = 1, own?: TestDatabase): Promise<Installation> {
  const database = own ?? (await testDatabase())
  const other = shards === 2 ? await testDatabase() : database
  const secretsDir = `${fileDirectory()}/secrets`
  makeMissingSecrets(secretsDir, randomBytes)
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, slot < 32 ? database.ownerUrl : other.ownerUrl])))
  atEnd(() => slots.close())
  return {
    environment: {
      ...(shards === 1
        ? { RINGPROOF_DATABASE_URL: database.url }
        : { RINGPROOF_SHARD_URLS: `0-31=${database.url} 32-63=${other.url}` }),
      RINGPROOF_SECRETS_DIR: secretsDir,
    },
    database,
    slots,
    recordKeys: readSecrets(secretsDir)['seal-records'],
  }
}

// Ready for requests; stopped after the tests of the file. Rate limits are raised unless a test sets them.
export async function serve(
  installation: Installation,
  settings: Environment = {},
  ...args: readonly string[]
): Promise<Served> {
  const [port, metricsPort, altPort] = await Promise.all([freePort(), freePort(), freePort()])
  const running = start(
    {
      ...installation.environment,
      RINGPROOF_HTTP_PORT: String(port),
      RINGPROOF_METRICS_PORT: String(metricsPort),
      RINGPROOF_HTTP_ALT_PORT: String(altPort),
      RINGPROOF_REQUESTS_PER_SECOND: '100000',
      RINGPROOF_PREFIX_HOUR_MAX: 'none',
      ...settings,
    },
    'serve',
    ...args,
  )
  atEnd(async () => {
    running.process.kill('SIGTERM')
    await running.ended
  })
  await running.says('"msg":"ready"')
  return {
    base: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    alternative: `http://127.0.0.1:${altPort}`,
    running,
    output: running.output,
  }
}

let accounts = 0

// Without caps unless given: a test sends more than a customer.
export async function makeService(
  { slots, recordKeys }: Installation,
  roubles = 100,
  newServiceCaps = noCaps,
): Promise<TestService> {
  const actor = { address: 'test', userAgent: '' }
  const deps = { slots, recordKeys, randomBytes, newServiceCaps }
  const account = { email: `owner-${accounts++}@example.org`, balance: (roubles * 1e6) as MicroRoubles, tariff: 'uni' }
  const accountId = await createAccount(deps, actor, account)
  const { serviceId, key, webhookSecret } = await createService(deps, actor, { accountId, name: 'Shop' })
  return { accountId, serviceId, key, webhookSecret, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}
