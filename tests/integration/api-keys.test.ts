// Several keys of one service: scopes, expiry, revocation and last use, over HTTP and by CLI.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyScopes } from '@ringproof/contract/lists/accounts.ts'
import { addKey, revokeKey, rotateKey } from '../../server/src/actions/accounts/keys.ts'
import { listApiKeys } from '../../server/src/db/accounts/api-key.ts'
import { createApiKeyUsage } from '../../server/src/db/accounts/api-key-usage.ts'
import { createClientCache } from '../../server/src/db/accounts/client-cache.ts'
import { isLockTimeout } from '../../server/src/db/core/database.ts'
import { matchKey } from '../../server/src/domain/accounts/api-client.ts'
import {
  digestApiKey,
  firstKeyName,
  type KeyScope,
  keysPerServiceMax,
} from '../../server/src/domain/accounts/api-key.ts'
import { dayMs } from '../../server/src/domain/values/time.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { install, makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await install()
const { slots } = installation
const { base } = await serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const actor = { address: 'test', userAgent: '' }
let addresses = 0
const call = (
  method: string,
  key: string,
  { serviceId }: TestService,
  address = `10.0.${++addresses >> 8}.${addresses & 255}`,
) =>
  ask(`${base}/v1.0/${method}`, {
    headers: { authorization: `Bearer ${key}.${serviceId}`, 'x-forwarded-for': address },
  })

// Added, and known to the server process, which is notified a moment after the commit.
async function add(service: TestService, name: string, scopes: readonly KeyScope[] = keyScopes, expiresDays = 1) {
  const { serviceId } = service
  const key = await addKey({ slots, randomBytes }, actor, { serviceId, name, scopes, expiresDays })
  await accepted(key, service)
  return key
}

async function accepted(key: string, service: TestService): Promise<void> {
  await poll('the key to be accepted', async () => (await call('nothing', key, service)).status !== 401)
}

const starting = ['initCall?phone=79000000001', 'inboundCallWaiting', 'initRepeat', 'checkPhone?phone=79000000001']
const reading = ['getInfo?uid=1', 'getBalance', 'getAccount', 'getService']

test('a key without the required scope gets 401, and only for the methods that need it', async () => {
  const service = await makeService(installation)
  for (const [scope, allowed, refused] of [
    ['start', starting, reading],
    ['read', reading, starting],
  ] as const) {
    const key = await add(service, scope, [scope])
    for (const method of allowed) assert.notEqual((await call(method, key, service)).status, 401, `${scope} ${method}`)
    for (const method of refused) {
      const asked = await call(method, key, service)
      assertRefused(asked, 401, 401)
      assert.match(String(asked.json['error']), /lacks the scope/)
    }
    assert.equal((await call('nothing', key, service)).status, 404, 'an unknown method needs no scope')
  }
  const both = await add(service, 'both')
  for (const method of [...starting, ...reading])
    assert.notEqual((await call(method, both, service)).status, 401, method)
})

test('a missing scope does not count as a failed authentication of the address', async () => {
  const service = await makeService(installation)
  const key = await add(service, 'reader', ['read'])
  for (let n = 0; n < 20; n++) assertRefused(await call('initCall', key, service, '203.0.113.1'), 401, 401)
  assert.equal((await call('getBalance', key, service, '203.0.113.1')).status, 200)
})

test('a cached key is refused as soon as it expires; other keys still work', async () => {
  const service = await makeService(installation)
  const key = await add(service, 'short')
  const startedMs = performance.now()
  await slots.globalDatabase.query(
    `UPDATE api_keys SET valid_until = clock_timestamp() + interval '1 second' WHERE service_id = $1 AND name = 'short'`,
    [service.serviceId],
  )
  await poll('the key to expire', async () => (await call('getBalance', key, service, '203.0.113.2')).status !== 200)
  assert(performance.now() - startedMs > 700, 'the key expired too early')
  assert.equal((await call('getBalance', service.key, service)).status, 200)
  // The process goes by its own clock, a rotation by the database's.
  await poll('the key to expire by the clock of the database', async () => {
    const { rowCount } = await slots.globalDatabase.query(
      `SELECT FROM api_keys WHERE service_id = $1 AND name = 'short' AND valid_until <= clock_timestamp()`,
      [service.serviceId],
    )
    return rowCount
  })
  await assert.rejects(
    rotateKey({ slots, randomBytes }, actor, {
      serviceId: service.serviceId,
      name: 'short',
      overlapSeconds: 9,
    }),
    /The key short expired at 20/,
  )
})

// A process that begins to stop at this moment would not end.
test('a cache that is closed while it connects does not listen', { timeout: 10_000 }, async () => {
  await createClientCache(slots, createClock(1)).close()
})

test('revoking a key also revokes the one it replaced; other keys still work', async () => {
  const service = await makeService(installation)
  const { serviceId } = service
  const first = await add(service, 'web')
  const second = await rotateKey({ slots, randomBytes }, actor, { serviceId, name: 'web', overlapSeconds: 60 })
  await accepted(second, service)
  for (const key of [first, service.key]) assert.equal((await call('getBalance', key, service)).status, 200)
  assert.equal(await revokeKey({ slots }, actor, { serviceId, name: 'web' }), 1)
  for (const key of [first, second]) {
    await poll('the key to be refused', async () => (await call('getBalance', key, service)).status !== 200)
  }
  assert.equal((await call('getBalance', service.key, service)).status, 200)
  await assert.rejects(revokeKey({ slots }, actor, { serviceId, name: 'web' }), /has no key named web/)
})

// Which of the keys are accepted, in their order.
async function acceptedOf(keys: readonly string[], service: TestService): Promise<readonly string[]> {
  const statuses = await Promise.all(keys.map(async (key) => (await call('getBalance', key, service)).status))
  return keys.filter((_, index) => statuses[index] === 200)
}

test('a rotated key is accepted until its overlap ends, and never more than two keys are', async () => {
  const service = await makeService(installation)
  const { serviceId } = service
  const keys = [service.key]
  const rotate = async (overlapSeconds: number) => {
    keys.push(await rotateKey({ slots, randomBytes }, actor, { serviceId, overlapSeconds }))
  }
  const onlyLast = (count: number) =>
    poll(
      `only the last ${count} of ${keys.length} keys to be accepted`,
      () => acceptedOf(keys, service),
      (found) => found.join() === keys.slice(-count).join(),
    )
  await onlyLast(1)
  await rotate(3_600)
  await onlyLast(2)
  await rotate(3_600)
  await onlyLast(2)
  await rotate(0)
  await onlyLast(1)
})

test('ten rotations at once leave two accepted keys', async () => {
  const service = await makeService(installation)
  const command = { serviceId: service.serviceId, overlapSeconds: 60 }
  // They take turns. On a slow machine one may wait for longer than for any lock, and has then changed nothing.
  const rotate = () =>
    poll('its turn', () =>
      rotateKey({ slots, randomBytes }, actor, command).catch((error: unknown) => {
        if (isLockTimeout(error)) return undefined
        throw error
      }),
    )
  const keys = [service.key, ...(await Promise.all(Array.from({ length: 10 }, rotate)))]
  const read = () => acceptedOf(keys, service)
  await poll('two accepted keys', read, ({ length }) => length === 2)
})

test('rotation keeps name, scopes and expiry, and extends no key', async () => {
  const service = await makeService(installation)
  const { serviceId } = service
  await add(service, 'reader', ['read'], 1)
  await rotateKey({ slots, randomBytes }, actor, { serviceId, name: 'reader', overlapSeconds: 30 * 86_400 })
  const [after, before] = (await listApiKeys(slots.globalDatabase, serviceId)).filter(({ name }) => name === 'reader')
  assert.deepEqual([after?.scopes, after?.isReplaced, before?.isReplaced], [['read'], false, true])
  for (const key of [after, before]) {
    const leftMs = (key?.validUntil?.getTime() ?? 0) - (before?.createdAt.getTime() ?? 0)
    assert(Math.abs(leftMs - dayMs) < 60_000, `${leftMs} ms`)
  }
})

test('key names are unique, and a service has at most 20 keys', async () => {
  const service = await makeService(installation)
  await assert.rejects(add(service, firstKeyName), /already has a key named default/)
  for (let n = 1; n < keysPerServiceMax; n++) await add(service, `key ${n}`)
  await assert.rejects(add(service, 'one more'), /has 20 keys, the maximum/)
})

test('a key with a wrong checksum is refused', async () => {
  const service = await makeService(installation)
  const wrong = `${service.key.slice(0, -1)}${service.key.endsWith('x') ? 'y' : 'x'}`
  assertRefused(await call('getBalance', wrong, service), 401, 401)
})

test('last use is written asynchronously, at most once a minute, and skips locked rows', async () => {
  const service = await makeService(installation)
  const lastUses = async () =>
    (await listApiKeys(slots.globalDatabase, service.serviceId)).map(({ lastUsedAt }) => lastUsedAt)
  const clock = createClock(1)
  const callers = createClientCache(slots, clock)
  const found = await callers.find(service.serviceId)
  await callers.close()
  const key = matchKey(digestApiKey(service.key), found.known, 0)?.key
  assert(key)
  const written: string[] = []
  const use = async () => {
    const usage = createApiKeyUsage(slots, clock, createLog({ write: (line) => void written.push(line) }))
    usage.note(key)
    usage.note({ ...key })
    assert.deepEqual(written, [])
    await usage.close()
  }
  assert.deepEqual(await lastUses(), [null])

  // A transaction holds the row lock: the row is skipped.
  const client = await slots.globalDatabase.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM api_keys WHERE service_id = $1 FOR UPDATE', [service.serviceId])
  await use()
  await client.query('ROLLBACK')
  client.release()
  assert.deepEqual(await lastUses(), [null])

  await use()
  const [once] = await lastUses()
  assert(once instanceof Date)
  await use()
  assert.deepEqual(await lastUses(), [once], 'less than a minute has passed')
  await slots.globalDatabase.query(`UPDATE api_keys SET last_used_at = last_used_at - interval '61 seconds'`)
  await use()
  assert(((await lastUses())[0]?.getTime() ?? 0) >= once.getTime())
})

test('writing the last use does not invalidate the client cache', async () => {
  const service = await makeService(installation)
  const client = await slots.globalDatabase.connect()
  const notified: (string | undefined)[] = []
  client.on('notification', ({ payload }) => notified.push(payload))
  await client.query('LISTEN clients_changed')
  await client.query('UPDATE api_keys SET last_used_at = clock_timestamp() WHERE service_id = $1', [service.serviceId])
  await client.query(`UPDATE api_keys SET scopes = '{read}' WHERE service_id = $1`, [service.serviceId])
  await client.query('SELECT')
  assert.deepEqual(notified, [`s${service.serviceId}`])
  client.release(true)
})

test('the CLI adds, lists and revokes keys, and explains wrong input', async () => {
  const service = await makeService(installation)
  const id = String(service.serviceId)
  const keys = (...args: string[]) => ringproof(installation.environment, 'services', 'keys', ...args)
  const shown = () => ringproof(installation.environment, 'services', 'show', id)
  const added = await ringproofJson<{ key: string }>(
    installation.environment,
    ...`services keys add ${id} --name reports --scopes read --expires-days 90`.split(' '),
  )
  assert.match(added.key, /^rp[A-Za-z0-9]{30}$/)
  const listed = (await shown()).out
  assert.match(listed, /reports +read +valid +20\d\d-\S+ +never/)
  assert.match(listed, /default +start,read +valid +no expiry +never/)
  assert(!listed.includes(added.key))
  assert.match(
    (await keys('add', id, '--name', 'x', '--scopes', 'write')).err,
    /--scopes takes one or more of start, read, listen/,
  )
  assert.match((await keys('add', id, '--name', 'x', '--expires-days', '0')).err, /--expires-days takes a whole number/)
  assert.match((await keys('revoke', '6400', 'reports')).err, /Service 6400 does not exist/)
  const rotate = ['services', 'rotate-key', id, '--key', 'none'] as const
  assert.match((await ringproof(installation.environment, ...rotate)).err, /has no key named none/)
  assert.match((await keys('revoke', id, 'reports')).out, /is revoked\.$/m)
  assert.match((await keys('revoke', id, firstKeyName)).out, /has no valid key now\. Add one/)
  assert.match((await shown()).out, /has no keys\. Add one/)
})
