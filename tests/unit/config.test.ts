import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { printableSettings, readConfig } from '../../server/src/process/config/config.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const enough = {
  RINGPROOF_DATABASE_URL: 'postgres://app:app-password@127.0.0.1:5432/ringproof',
  RINGPROOF_NATS_URL: 'nats://127.0.0.1:4222',
  RINGPROOF_SECRETS_DIR: 'secrets',
}

test('defaults come from config.default.env', () => {
  const config = readConfig(enough)
  assert.equal(config.httpPort, 8080)
  assert.equal(config.httpAltPort, undefined)
  assert.equal(config.requestsPerSecond, 30)
  assert.equal(config.timeScale, 1)
  assert.equal(config.slotUrls.size, 64)
  assert.equal(new Set(config.slotUrls.values()).size, 1)
})

test('config.default.env has every setting once, each with a sentence', () => {
  const text = readFileSync(new URL('../../server/config.default.env', import.meta.url), 'utf8')
  const inManual = [...text.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  assert.deepEqual(inManual.toSorted(), [...printableSettings({}).keys()].toSorted())
  // A setting that is only in the manual is refused like any other unknown name.
  for (const name of inManual) assert.match(text, new RegExp(`^# .+\\.\n${name}=`, 'm'), `${name} has no sentence`)
  assert.doesNotThrow(() => readConfig({ ...parseEnv(text), ...enough }))
})

test('the first part of the manual fits on a page, and has what an installation cannot do without', () => {
  const text = readFileSync(new URL('../../server/config.default.env', import.meta.url), 'utf8')
  const [, often = '', rare = ''] = text.split(/^# === .*$/m)
  const namesIn = (part: string) => [...part.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  assert(namesIn(often).length <= 20, `${namesIn(often).length} settings`)
  assert.equal(namesIn(often).length + namesIn(rare).length, printableSettings({}).size)
  for (const name of Object.keys(enough)) assert(namesIn(often).includes(name), name)
  assert.deepEqual(
    [...rare.matchAll(/^# .*\bRequired\.$/gm)].map(([line]) => line),
    [],
    'what is required is not rarely needed',
  )
})

test('all mistakes are reported together', () => {
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

test('an unknown name with no similar setting gets no suggestion; variables of other programs are ignored', () => {
  assert.throws(() => readConfig({ ...enough, RINGPROOF_ZEBRA_CROSSING: '1' }), /there is no such setting$/m)
  assert.doesNotThrow(() => readConfig({ ...enough, HTTP_PORT: 'nonsense' }))
})

test('_FILE reads the value from a file; setting both is a mistake', (t) => {
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
  const withSpare = shards('0-63=postgres://a@127.0.0.1/one spare=postgres://a@127.0.0.1/two')
  assert.deepEqual(
    [...new Set(withSpare.values())].map((url) => url.slice(-3)),
    ['one', 'two'],
  )
  assert.throws(() => shards('0-31=postgres://a@127.0.0.1/one'), /slots without a database: 32, 33/)
  assert.throws(() => shards('0-40=postgres://127.0.0.1/one 40-63=postgres://127.0.0.1/two'), /slot 40 is named twice/)
  assert.throws(() => shards('all=postgres://127.0.0.1/one'), /must read/)
  const rest = '0-63=postgres://127.0.0.1/one'
  for (const range of ['70-80', '64-80', '0-99', '63-0', '64', '5-4', '0-999999999']) {
    assert.throws(
      () => shards(`${rest} ${range}=postgres://127.0.0.1/two`),
      /is not a range of slots; they go from 0 to 63/,
    )
  }
  // The address is checked even if its range is invalid.
  assert.throws(() => shards(`${rest} 63-0=mysql://127.0.0.1/two`), /must be a URL that begins with postgres:/)
})

test('the owner URL and the application URL must name the same databases', () => {
  const shards = '0-31=postgres://app@127.0.0.1/one 32-63=postgres://app@db.example.org:6432/two?sslmode=verify-full'
  const owners =
    '0-31=postgresql://owner@127.0.0.1:5432/one 32-63=postgres://owner@DB.example.org:6432/two?sslmode=verify-full'
  const owner = 'postgres://owner:o-password@127.0.0.1:5432/ringproof'
  const read = (settings: Record<string, string>) => readConfig({ ...enough, ...settings })

  assert.equal(read({ RINGPROOF_DATABASE_OWNER_URL: owner }).slotOwnerUrls?.size, 64)
  assert.equal(read({ RINGPROOF_SHARD_URLS: shards }).slotOwnerUrls, undefined)
  const both = { RINGPROOF_SHARD_URLS: shards, RINGPROOF_SHARD_OWNER_URLS: owners }
  assert.equal(new Set(read(both).slotOwnerUrls?.values()).size, 2)

  // The order of the hosts does not matter.
  const several = (user: string, hosts: string) => `postgres://${user}@${hosts}/ringproof`
  const app = { RINGPROOF_DATABASE_URL: several('app', '127.0.0.1:5432,127.0.0.2:5433') }
  assert.equal(
    read({ ...app, RINGPROOF_DATABASE_OWNER_URL: several('o', '127.0.0.2:5433,127.0.0.1') }).slotOwnerUrls?.size,
    64,
  )
  assert.throws(() => read({ ...app, RINGPROOF_DATABASE_OWNER_URL: several('o', '127.0.0.1') }), /host, port and name/)

  // The owner of one database cannot migrate two.
  assert.throws(
    () => read({ RINGPROOF_SHARD_URLS: shards, RINGPROOF_DATABASE_OWNER_URL: 'postgres://owner@127.0.0.1/one' }),
    /RINGPROOF_DATABASE_OWNER_URL: .* slots 32, 33.*RINGPROOF_SHARD_OWNER_URLS takes one for each/,
  )
  const swapped = owners.replace('0-31', 'x').replace('32-63', '0-31').replace('x', '32-63')
  assert.throws(
    () => read({ ...both, RINGPROOF_SHARD_OWNER_URLS: swapped }),
    /RINGPROOF_SHARD_OWNER_URLS: .* slots 0, 1/,
  )
  for (const other of [
    owner.replace('127.0.0.1', '127.0.0.2'),
    owner.replace('5432', '5433'),
    owner.replace('ringproof', 'other'),
    `${owner}?host=/run/postgresql`,
  ]) {
    assert.throws(
      () => read({ RINGPROOF_DATABASE_OWNER_URL: other }),
      /RINGPROOF_DATABASE_OWNER_URL: host, port and name/,
    )
  }
})

test('a setting overridden by another is still validated', () => {
  const shards = '0-63=postgres://app@127.0.0.1/one'
  const both = { ...enough, RINGPROOF_SHARD_URLS: shards, RINGPROOF_SHARD_OWNER_URLS: shards }
  assert.doesNotThrow(() => readConfig({ ...both, RINGPROOF_DATABASE_URL: '' }))
  assert.throws(
    () =>
      readConfig({ ...both, RINGPROOF_DATABASE_URL: 'nonsense', RINGPROOF_DATABASE_OWNER_URL: 'mysql://127.0.0.1' }),
    /RINGPROOF_DATABASE_URL: must be a URL[^]*RINGPROOF_DATABASE_OWNER_URL: must be a URL/,
  )
})

test('a plain connection to another host is refused, unless a setting allows it', () => {
  const complaint = (settings: Record<string, string>) => {
    try {
      readConfig({ ...enough, ...settings })
      return ''
    } catch (error) {
      return String(error)
    }
  }
  const database = (url: string) => ({ RINGPROOF_DATABASE_URL: url })
  const nats = (url: string) => ({ RINGPROOF_NATS_URL: url })
  const ari = (url: string) => ({ RINGPROOF_ARI_URL: url })
  const otlp = (url: string, headers: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  })
  const refused = [
    [database('postgres://a@10.0.0.5/x'), 'postgres'],
    [database('postgres://a@db.example.org/x?sslmode=disable'), 'postgres'],
    [database('postgres://a@127.0.0.1/x?host=10.0.0.5'), 'postgres'],
    [database('postgres://a@127.0.0.1:5432,10.0.0.5:5432/x'), 'postgres'],
    [{ ...database('postgres://a@127.0.0.1/x'), RINGPROOF_SHARD_URLS: '0-63=postgres://a@10.0.0.5/x' }, 'postgres'],
    [nats('nats://10.0.0.5'), 'nats'],
    [nats('nats://127.0.0.1,nats://[2001:db8::1]'), 'nats'],
    [nats('nats://127.0.0.1.example.org'), 'nats'],
    [ari('http://asterisk.example.org:8088'), 'ari'],
    [{ RINGPROOF_PHONES_ARI_URL: 'http://10.0.0.5:8088' }, 'ari'],
    [otlp('http://collector.example.org:4318', 'api-key=x'), 'otlp'],
    [{ ...otlp('', 'api-key=x'), OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://10.0.0.5/' }, 'otlp'],
  ] as const
  for (const [settings, word] of refused) {
    assert.match(complaint(settings), new RegExp(`or add ${word} to RINGPROOF_PLAIN_CONNECTIONS`))
    assert.equal(complaint({ ...settings, RINGPROOF_PLAIN_CONNECTIONS: word }), '')
    const other = word === 'nats' ? 'ari' : 'nats'
    assert.notEqual(complaint({ ...settings, RINGPROOF_PLAIN_CONNECTIONS: other }), '')
  }
  for (const settings of [
    database('postgres://a@10.0.0.5/x?sslmode=verify-full'),
    database('postgres:///x?user=a&host=/run/postgresql'),
    database('postgres://a@%2Frun%2Fpostgresql/x'),
    database('postgres://a@localhost/x'),
    database('postgres://a@127.0.0.1:5432,[::1]:5433/x'),
    database('postgres://a@db1.example.org,db2.example.org:5433/x?sslmode=verify-full'),
    database('postgres://a@[::1]/x'),
    nats('tls://bus.example.org,tls://bus2.example.org'),
    nats('nats://127.0.0.2:4222,nats://localhost'),
    ari('https://asterisk.example.org:8089'),
    otlp('http://collector.example.org:4318', ''),
    otlp('https://collector.example.org:4318', 'api-key=x'),
    otlp('http://127.0.0.1:4318', 'api-key=x'),
  ]) {
    assert.equal(complaint(settings), '')
  }
  assert.match(complaint({ RINGPROOF_PLAIN_CONNECTIONS: 'nats,redis' }), /PLAIN_CONNECTIONS: must be one of: nats, ari/)
})

test('the currency is one that Intl knows', () => {
  assert.equal(readConfig(enough).currency, 'RUB')
  assert.equal(readConfig({ ...enough, RINGPROOF_CURRENCY: 'KWD' }).currency, 'KWD')
  for (const wrong of ['eur', 'QQQ', '€']) {
    assert.throws(
      () => readConfig({ ...enough, RINGPROOF_CURRENCY: wrong }),
      /RINGPROOF_CURRENCY: must be the ISO 4217 code/,
    )
  }
})

test('settings that only look like verified TLS are refused', (t) => {
  const read = (settings: Record<string, string>) => () => readConfig({ ...enough, ...settings })
  for (const mode of ['require', 'prefer', 'verify-ca', 'no-verify']) {
    const url = `postgres://a@10.0.0.5/x?sslmode=${mode}`
    const settings = { RINGPROOF_DATABASE_URL: url, RINGPROOF_PLAIN_CONNECTIONS: 'postgres' }
    assert.throws(read(settings), new RegExp(`sslmode=${mode} does not verify the server; write sslmode=verify-full`))
  }
  assert.throws(read({ RINGPROOF_DATABASE_URL: 'postgres://a@10.0.0.5/x?ssl=true' }), /write sslmode=verify-full/)
  assert.throws(read({ RINGPROOF_NATS_URL: 'nats://127.0.0.1,tls://127.0.0.1' }), /write tls:\/\/ for every server/)
  assert.throws(read({ RINGPROOF_NATS_URL: 'tls://a:b@bus,tls://a:c@bus2' }), /different credentials/)
  const creds = `${temporaryDirectory(t)}/x.creds`
  assert.throws(read({ RINGPROOF_NATS_CREDS_FILE: creds }), /RINGPROOF_NATS_CREDS_FILE: ENOENT/)
  writeFileSync(creds, '')
  const both = { RINGPROOF_NATS_CREDS_FILE: creds, RINGPROOF_NATS_URL: 'tls://a:b@bus' }
  assert.throws(read(both), /RINGPROOF_NATS_CREDS_FILE is set as well; keep one of them/)
  // The CA applies to every database that names none itself.
  const urls =
    '0-31=postgres://a@one/x?sslmode=verify-full 32-63=postgres://a@two/x?sslmode=verify-full&sslrootcert=/own'
  const { slotUrls } = readConfig({ ...enough, RINGPROOF_SHARD_URLS: urls, RINGPROOF_DATABASE_CA_FILE: creds })
  const roots = [...new Set(slotUrls.values())].map((url) => new URL(url).searchParams.get('sslrootcert'))
  assert.deepEqual(roots, [creds, '/own'])
})

test('passwords appear neither in printed settings nor in error messages', () => {
  const secret = 'hunter2-hunter2'
  const printed = printableSettings({
    RINGPROOF_DATABASE_URL: `postgres://app:${secret}@127.0.0.1/x`,
    RINGPROOF_DATABASE_OWNER_URL: `postgres://owner:${secret}@127.0.0.1:5432,127.0.0.2:5433/x`,
    RINGPROOF_SHARD_URLS: `0-31=postgres://a:${secret}@127.0.0.1/x 32-63=postgres://b:${secret}@127.0.0.1/y`,
    RINGPROOF_NATS_URL: `nats://${secret}@127.0.0.1:4222,nats://user:${secret}@127.0.0.1:4223`,
  })
  assert.equal(printed.get('RINGPROOF_DATABASE_URL'), 'postgres://app:***@127.0.0.1/x')
  assert.equal(printed.get('RINGPROOF_DATABASE_OWNER_URL'), 'postgres://owner:***@127.0.0.1:5432,127.0.0.2:5433/x')
  assert.equal(printed.get('RINGPROOF_NATS_URL'), 'nats://***@127.0.0.1:4222,nats://user:***@127.0.0.1:4223')
  assert.equal(
    printed.get('RINGPROOF_SHARD_URLS'),
    '0-31=postgres://a:***@127.0.0.1/x 32-63=postgres://b:***@127.0.0.1/y',
  )
  assert.doesNotMatch([...printed.values()].join('\n'), new RegExp(secret))
  assert.throws(
    () => readConfig({ ...enough, RINGPROOF_DATABASE_URL: `mysql://app:${secret}@127.0.0.1/x` }),
    (error: Error) => error.message.includes('RINGPROOF_DATABASE_URL') && !error.message.includes(secret),
  )
})

// A password of two halves with a special character between them, in every place where one may be put.
test('a password with any special character is not printed, wherever it is set', () => {
  const names = [...printableSettings({}).keys()].filter((name) => /_(URLS?|PASSWORD|ENDPOINT|HEADERS)$/.test(name))
  assert.equal(names.length, 20)
  const left = '7777'
  const right = '8888'
  for (const sign of ['@', '/', ' ', '?', '#', ',', ':', '\\', '%', '&', '', '\t']) {
    const password = `${left}${sign}${right}`
    for (const value of [
      `postgres://app:${password}@127.0.0.1/x`,
      `postgres://app:${password}@127.0.0.1:5432,127.0.0.2:5432/x`,
      `postgres://127.0.0.1/x?user=app&password=${password}`,
      `postgres://app@127.0.0.1/x#${password}`,
      `0-63=postgres://app:${password}@127.0.0.1/x`,
      `0-31=postgres://app:${password}@127.0.0.1/x 32-63=postgres://127.0.0.1/y?password=${password}`,
      `host=127.0.0.1 user=app password=${password}`,
      `postgres:app:${password}@127.0.0.1/x`,
      // With a colon in it, it would be a user and a password.
      `nats://${password.replace(':', '')}@127.0.0.1`,
      `nats://a:${password}@127.0.0.1,nats://b:${password}@127.0.0.2`,
      `http://app:${password}@127.0.0.1`,
      password,
    ]) {
      const environment = Object.fromEntries(names.map((name) => [name, value]))
      for (const [name, shown] of printableSettings(environment)) {
        assert(!shown.includes(left) && !shown.includes(right), `${name}=${value} is shown as ${shown}`)
      }
    }
  }
})
