import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { printableSettings, readConfig } from '../../server/src/config.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const enough = {
  RINGPROOF_DATABASE_URL: 'postgres://app:app-password@127.0.0.1:5432/ringproof',
  RINGPROOF_NATS_URL: 'nats://127.0.0.1:4222',
  RINGPROOF_SECRETS_DIR: 'secrets',
}

test('defaults come from the manual', () => {
  const config = readConfig(enough)
  assert.equal(config.httpPort, 8080)
  assert.equal(config.httpAltPort, undefined)
  assert.equal(config.requestsPerSecond, 30)
  assert.equal(config.timeScale, 1)
  assert.equal(config.slotUrls.size, 64)
  assert.equal(new Set(config.slotUrls.values()).size, 1)
})

test('the manual names every setting, each with a sentence', () => {
  const text = readFileSync(new URL('../../server/config.default.env', import.meta.url), 'utf8')
  const inManual = Object.keys(parseEnv(text))
  assert.deepEqual(inManual.toSorted(), [...printableSettings({}).keys()].toSorted())
  // A setting that the manual has and the program does not know is refused like any other unknown name.
  for (const name of inManual) assert.match(text, new RegExp(`^# .+\\.\n${name}=`, 'm'), `${name} has no sentence`)
  assert.doesNotThrow(() => readConfig({ ...parseEnv(text), ...enough }))
})

test('every mistake is listed at once', () => {
  assert.throws(
    () =>
      readConfig({
        RINGPROOF_HTTP_PORT: '70000',
        RINGPROOF_TIME_SCALE: '-1',
        RINGPROOF_PUBLIC_URL: 'example',
        RINGPROOF_TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33',
        RINGPROOF_DATABSE_URL: 'postgres://127.0.0.1/x',
      }),
    (error: Error) => {
      for (const name of ['HTTP_PORT', 'TIME_SCALE', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'SECRETS_DIR', 'DATABASE_URL']) {
        assert.match(error.message, new RegExp(`^ +RINGPROOF_${name}: `, 'm'))
      }
      assert.match(
        error.message,
        /RINGPROOF_DATABSE_URL: there is no such setting; did you mean RINGPROOF_DATABASE_URL\?/,
      )
      return true
    },
  )
})

test('a name that is like nothing gets no suggestion, and other programs are left alone', () => {
  assert.throws(() => readConfig({ ...enough, RINGPROOF_ZEBRA_CROSSING: '1' }), /there is no such setting$/m)
  assert.doesNotThrow(() => readConfig({ ...enough, HTTP_PORT: 'nonsense' }))
})

test('_FILE reads the value from a file; both at once is a mistake', (t) => {
  const path = `${temporaryDirectory(t)}/url`
  writeFileSync(path, 'postgres://from-a-file@127.0.0.1/x\n')
  const { RINGPROOF_DATABASE_URL: url, ...rest } = enough
  const config = readConfig({ ...rest, RINGPROOF_DATABASE_URL_FILE: path })
  assert.deepEqual([...new Set(config.slotUrls.values())], ['postgres://from-a-file@127.0.0.1/x'])
  assert.throws(
    () => readConfig({ ...rest, RINGPROOF_DATABASE_URL: url, RINGPROOF_DATABASE_URL_FILE: path }),
    /keep one of them/,
  )
  assert.throws(() => readConfig({ ...rest, RINGPROOF_DATABASE_URL_FILE: `${path}-gone` }), /ENOENT/)
})

test('a slot map must name every slot once', () => {
  const shards = (text: string) => readConfig({ ...enough, RINGPROOF_SHARD_URLS: text }).slotUrls
  const two = shards('0-31=postgres://a@127.0.0.1/one 32-63=postgres://a@127.0.0.1/two')
  assert.equal(new Set(two.values()).size, 2)
  assert.throws(() => shards('0-31=postgres://a@127.0.0.1/one'), /slots without a database: 32, 33/)
  assert.throws(() => shards('0-40=postgres://127.0.0.1/one 40-63=postgres://127.0.0.1/two'), /slot 40 is named twice/)
  assert.throws(() => shards('all=postgres://127.0.0.1/one'), /must read/)
})

test('passwords are neither printed nor repeated in a complaint', () => {
  const secret = 'hunter2-hunter2'
  const printed = printableSettings({
    RINGPROOF_DATABASE_URL: `postgres://app:${secret}@127.0.0.1/x`,
    RINGPROOF_SHARD_URLS: `0-31=postgres://a:${secret}@127.0.0.1/x 32-63=postgres://b:${secret}@127.0.0.1/y`,
    RINGPROOF_NATS_URL: `nats://${secret}@127.0.0.1:4222,nats://user:${secret}@127.0.0.1:4223`,
  })
  assert.equal(printed.get('RINGPROOF_DATABASE_URL'), 'postgres://app:***@127.0.0.1/x')
  assert.doesNotMatch([...printed.values()].join('\n'), new RegExp(secret))
  assert.throws(
    () => readConfig({ ...enough, RINGPROOF_DATABASE_URL: `mysql://app:${secret}@127.0.0.1/x` }),
    (error: Error) => error.message.includes('RINGPROOF_DATABASE_URL') && !error.message.includes(secret),
  )
})
