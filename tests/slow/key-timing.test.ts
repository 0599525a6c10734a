// The response time to a wrong key reveals neither whether its service exists nor how close the key is. First the
// queries are counted, without a clock; then the time is measured, next to work with a known difference.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { authenticate } from '../../server/src/actions/accounts/authenticate.ts'
import { createClientCache } from '../../server/src/db/accounts/client-cache.ts'
import { matchKey, nobodysKey } from '../../server/src/domain/accounts/api-client.ts'
import { digestApiKey } from '../../server/src/domain/accounts/api-key.ts'
import { numberedId, type ServiceId, type Slot, slotOfService } from '../../server/src/domain/core/slot.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { install, makeService } from '../support/process/server.ts'
import { timeScores } from '../support/welch.ts'

const installation = await install()
const { slots } = installation
const service = await makeService(installation)
const apiClients = createClientCache(slots, createClock(1))
atEnd(() => apiClients.close())
const noted = { keyUsage: { note: () => undefined, close: async () => undefined }, noteFailure: () => undefined }
const attemptLogin = (shown: { key: string; serviceId: number }) => authenticate({ ...noted, apiClients }, shown)

// A nonexistent service in the same slot.
const slot: Slot = slotOfService(service.serviceId)
const nextUnknown = (
  (n) => () =>
    numberedId(n++, slot) as ServiceId
)(100_000)

// A key without the prefix: a wrong one with it would fail its checksum before any comparison.
const key = 'k'.repeat(32)
const samples = 5_000

before(async () => {
  await slots.globalDatabase.query('UPDATE api_keys SET digest = $2 WHERE service_id = $1', [
    service.serviceId,
    digestApiKey(key),
  ])
  await poll('the cache to listen', apiClients.isListening)
})

test('a wrong key costs one query per second and ID, whether or not the service exists', async () => {
  const counts: number[] = []
  const clock = { ...createClock(1), monotonicMs: () => nowMs }
  let nowMs = 0
  let queries = 0
  const counting = new Proxy(slots.globalDatabase, {
    get: (pool, name) => {
      const value: unknown = Reflect.get(pool, name, pool)
      if (name === 'query') queries += 1
      return typeof value === 'function' ? value.bind(pool) : value
    },
  })
  const own = createClientCache({ ...slots, databases: [counting], databaseOf: () => counting }, clock)
  await poll('the cache to listen', own.isListening)
  const ask = async (shown: string, id: number) =>
    (await authenticate({ ...noted, apiClients: own }, { key: shown, serviceId: id })).key
  assert(await ask(key, service.serviceId))
  const unknown = nextUnknown()
  for (const serviceId of [service.serviceId, unknown]) {
    for (const atMs of [2_000, 2_999, 3_001, 3_500, 4_002]) {
      nowMs = atMs
      queries = 0
      for (let n = 0; n < 20; n++) assert.equal(await ask('x'.repeat(32), serviceId), undefined)
      counts.push(queries)
    }
  }
  await own.close()
  const expected = [1, 0, 1, 0, 1].map((reads) => reads * queriesOfRead)
  assert.deepEqual(counts, [...expected, ...expected])
})

// One for services, one for keys.
const queriesOfRead = 2

test('|t| < 5 between an unknown service, a key wrong in its first byte and one wrong in its last', async () => {
  const classes = {
    'unknown service': { key, serviceId: nextUnknown() },
    'wrong first byte': { key: `x${key.slice(1)}`, serviceId: service.serviceId },
    'wrong last byte': { key: `${key.slice(0, -1)}x`, serviceId: service.serviceId },
  }
  const scores = await timeScores(
    Object.fromEntries(Object.entries(classes).map(([name, shown]) => [name, () => attemptLogin(shown)])),
    samples,
  )
  assert.deepEqual(
    Object.entries(scores).filter(([, score]) => !(score < 5)),
    [],
    JSON.stringify(scores),
  )
})

test('the same measurement finds a query made only for unknown services', async () => {
  const scores = await timeScores(
    {
      // Every ID is used once, so that each is read.
      'unknown service': () => attemptLogin({ key, serviceId: nextUnknown() }),
      'wrong first byte': () => attemptLogin({ key: `x${key.slice(1)}`, serviceId: service.serviceId }),
    },
    samples / 10,
  )
  assert(Object.values(scores).every((score) => score > 5))
})

test('|t| < 5 between digests that differ in their first or last byte; an early exit is found', async () => {
  const digest = digestApiKey(key)
  const [first, last] = [0, digest.length - 1].map((at) => {
    const other = Buffer.from(digest)
    other.writeUInt8(digest.readUInt8(at) ^ 1, at)
    return other
  })
  assert(first && last)
  const known = { apiClient: undefined, keys: [{ ...nobodysKey(service.serviceId), digest, validMs: null }] }
  const constant = (shown: Buffer) => repeat(() => matchKey(shown, known, 0) === undefined)
  const earlyExit = (shown: Buffer) => repeat(() => !isSameEarlyExit(shown, digest))
  for (const [compare, isConstant] of [
    [constant, true],
    [earlyExit, false],
  ] as const) {
    const scores = await timeScores({ first: () => compare(first), last: () => compare(last) }, samples)
    for (const score of Object.values(scores)) assert.equal(score < 5, isConstant, `${compare.name}: |t| is ${score}`)
  }
})

// Enough repetitions for the clock to resolve.
function repeat(compare: () => boolean): number {
  let count = 0
  for (let n = 0; n < 200; n++) if (compare()) count += 1
  return count
}

function isSameEarlyExit(shown: Buffer, kept: Buffer): boolean {
  for (let at = 0; at < kept.length; at++) if (shown[at] !== kept[at]) return false
  return true
}
