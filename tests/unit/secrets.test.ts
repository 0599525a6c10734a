import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { test } from 'node:test'
import { MissingKeyError, nonceBytes, seal, unseal } from '../../server/src/domain/crypto/sealing.ts'
import { dayMs } from '../../server/src/domain/values/time.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import {
  activateNextKey,
  addKey,
  destroyKeys,
  keysDue,
  listKeys,
  makeMissingSecrets,
  readSecrets,
} from '../../server/src/process/secrets.ts'
import { watchSecrets } from '../../server/src/process/secrets-watch.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('setup creates missing keys and keeps existing ones', (t) => {
  const dir = `${temporaryDirectory(t)}/secrets`
  assert.equal(makeMissingSecrets(dir, randomBytes).length, 5)
  assert.equal(statSync(dir).mode & 0o777, 0o700)
  const before = readdirSync(dir).map((file) => readFileSync(`${dir}/${file}`, 'utf8'))
  assert.equal(new Set(before).size, 5)
  for (const file of readdirSync(dir)) assert.equal(statSync(`${dir}/${file}`).mode & 0o777, 0o400)
  assert.deepEqual(makeMissingSecrets(dir, randomBytes), [])
  assert.deepEqual(
    readdirSync(dir).map((file) => readFileSync(`${dir}/${file}`, 'utf8')),
    before,
  )
})

test('the server does not start with a missing or broken key, and the error names it', (t) => {
  const dir = temporaryDirectory(t)
  assert.throws(() => readSecrets(`${dir}/nowhere`), /there is no key phone-tenant-1\.key[^]*ringproof setup/)
  makeMissingSecrets(dir, randomBytes)
  writeFileSync(`${dir}/seal-numbers-2.key`, 'c2hvcnQ=\n', { mode: 0o400 })
  chmodSync(`${dir}/phone-slot-1.key`, 0o444)
  assert.throws(() => readSecrets(dir), /phone-slot-1\.key can be read by others[^]*seal-numbers-2\.key does not hold/)
})

test('an added key decrypts, an activated key seals, and then the previous key may be destroyed', (t) => {
  const dir = temporaryDirectory(t)
  makeMissingSecrets(dir, randomBytes)
  const ring = () => {
    const { active, keys } = readSecrets(dir)['seal-records']
    return [active, [...keys.keys()].toSorted((a, b) => a - b)]
  }
  assert.deepEqual(ring(), [1, [1]], 'a single key needs no pointer')
  assert.throws(() => activateNextKey(dir, 'seal-records'), /is active already: `ringproof secrets add seal-records`/)
  assert.equal(addKey(dir, 'seal-records', randomBytes), 'seal-records-2.key')
  assert.deepEqual(ring(), [1, [1, 2]])
  assert.throws(() => addKey(dir, 'seal-records', randomBytes), /seal-records-2\.key exists and is not active yet/)
  assert.equal(activateNextKey(dir, 'seal-records').number, 2)
  assert.equal(statSync(`${dir}/seal-records.active`).mode & 0o777, 0o400)
  assert.deepEqual(ring(), [2, [1, 2]])
  // A second rotation over the read-only pointer of the first, and a key ID with two digits.
  writeFileSync(`${dir}/seal-records-12.key`, randomBytes(32).toString('base64'), { mode: 0o400 })
  assert.equal(activateNextKey(dir, 'seal-records').number, 12)
  destroyKeys(
    dir,
    listKeys(dir, 'seal-records').filter(({ state }) => state === 'old'),
  )
  assert.deepEqual(ring(), [12, [12]])
})

test('a pointer without its key is an error that names it; a key without its pointer changes nothing', (t) => {
  const [here, there] = [`${temporaryDirectory(t)}/here`, `${temporaryDirectory(t)}/there`]
  makeMissingSecrets(here, randomBytes)
  cpSync(here, there, { recursive: true })
  addKey(here, 'phone-tenant', randomBytes)
  activateNextKey(here, 'phone-tenant')
  copyFileSync(`${here}/phone-tenant.active`, `${there}/phone-tenant.active`)
  assert.throws(
    () => readSecrets(there),
    /phone-tenant\.active does not name a key that is there: copy phone-tenant-2\.key/,
  )
  copyFileSync(`${here}/phone-tenant-2.key`, `${there}/phone-tenant-2.key`)
  assert.equal(readSecrets(there)['phone-tenant'].active, 2)
})

test('a running process loads keys from disk periodically, on SIGHUP, and when one is missing', async (t) => {
  const dir = temporaryDirectory(t)
  makeMissingSecrets(dir, randomBytes)
  const lines: string[] = []
  const work: (() => void)[] = []
  let nowMs = 0
  const clock = {
    ...createClock(1),
    monotonicMs: () => nowMs,
    every: (_: number, tick: () => void) => {
      work.push(tick)
      return { stop: () => undefined }
    },
  }
  const log = createLog({ write: (line: string) => void lines.push(line) })
  const { keys, close } = watchSecrets({ secretsDir: dir, verificationDays: 30, clock, log })
  t.after(close)
  const firstKey = keys.sealNumbers.keys.get(1)
  addKey(dir, 'seal-numbers', randomBytes)
  const sealed = seal(readSecrets(dir)['seal-numbers'], 'person', 64, 'text', randomBytes(nonceBytes))
  sealed.writeUInt16BE(2, 1)
  assert.throws(() => unseal(keys.sealNumbers, 'person', 64, sealed), MissingKeyError, 'the ring looked a moment ago')
  nowMs += 501
  assert.throws(
    () => unseal(keys.sealNumbers, 'person', 64, sealed),
    /authenticate/,
    'the key file now holds another key',
  )
  assert.deepEqual([keys.sealNumbers.active, keys.sealNumbers.keys.size], [1, 2])
  activateNextKey(dir, 'seal-numbers')
  process.emit('SIGHUP')
  assert.equal(keys.sealNumbers.active, 2)
  assert.equal(keys.sealNumbers.keys.get(1), firstKey, 'the loaded key is not replaced')
  addKey(dir, 'phone-tenant', randomBytes)
  work[0]?.()
  assert.equal(keys.phoneTenant.keys.size, 2)
  assert.match(lines.join(''), /"ring":"seal-numbers","keys":"1 2\*","msg":"keys changed"/)

  chmodSync(`${dir}/phone-tenant-2.key`, 0o644)
  work[0]?.()
  assert.equal(keys.phoneTenant.keys.size, 2)
  assert.match(lines.at(-1) ?? '', /phone-tenant-2\.key can be read by others[^]*key reload failed/)
})

test('the log names a key that seals numbers for longer than verifications are kept', (t) => {
  const dir = temporaryDirectory(t)
  makeMissingSecrets(dir, randomBytes)
  assert.deepEqual(keysDue(dir, 30, Date.now() + 29 * dayMs), [])
  const [due] = keysDue(dir, 30, Date.now() + 31 * dayMs)
  assert.deepEqual([due?.ring, due?.number], ['seal-numbers', 1])
  // The age of a key counts from its activation.
  addKey(dir, 'seal-numbers', randomBytes)
  utimesSync(`${dir}/seal-numbers-2.key`, 0, 0)
  activateNextKey(dir, 'seal-numbers')
  assert.deepEqual(keysDue(dir, 30, Date.now() + 29 * dayMs), [])
  utimesSync(`${dir}/seal-numbers.active`, 0, 0)
  const lines: string[] = []
  const log = createLog({ write: (line: string) => void lines.push(line) })
  t.after(watchSecrets({ secretsDir: dir, verificationDays: 30, clock: createClock(1), log }).close)
  assert.match(lines.join(''), /"fix":"run: ringproof secrets add seal-numbers","msg":"key rotation due"/)
})
