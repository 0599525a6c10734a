import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeMissingSecrets, readSecrets } from '../../server/src/secrets.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('setup makes what is missing and leaves what is there', (t) => {
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

test('nothing starts without every key, and each mistake is named', (t) => {
  const dir = temporaryDirectory(t)
  assert.throws(() => readSecrets(`${dir}/nowhere`), /there is no key phone-tenant-1\.key[^]*ringproof setup/)
  makeMissingSecrets(dir, randomBytes)
  writeFileSync(`${dir}/seal-numbers-2.key`, 'c2hvcnQ=\n', { mode: 0o400 })
  chmodSync(`${dir}/phone-slot-1.key`, 0o444)
  assert.throws(() => readSecrets(dir), /phone-slot-1\.key can be read by others[^]*seal-numbers-2\.key does not hold/)
})

test('a ring may have several keys', (t) => {
  const dir = temporaryDirectory(t)
  makeMissingSecrets(dir, randomBytes)
  writeFileSync(`${dir}/seal-records-12.key`, randomBytes(32).toString('base64'), { mode: 0o400 })
  assert.deepEqual(
    [...readSecrets(dir)['seal-records'].keys()].toSorted((a, b) => a - b),
    [1, 12],
  )
})
