// `ringproof doctor` on a sound installation, and with one fault at a time: it names the fault and the command that fixes it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, utimesSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { deleteCallerRange, insertCallerRange } from '../../server/src/db/trunks/trunk.ts'
import { pooled, withoutDeadlines } from '../support/database/pooler.ts'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { asOwner, emptyDatabase } from '../support/database/test-database.ts'
import { plainListener } from '../support/network/plain-listener.ts'
import { createPrivateNats } from '../support/network/private-nats.ts'
import { importFictitiousRegistry } from '../support/numbering/fictitious-registry.ts'
import { ringproof } from '../support/process/cli.ts'
import { assertFound, badOnes, examined } from '../support/process/doctor.ts'
import { createMovedClock } from '../support/process/moved-clock.ts'
import { installPhones } from '../support/process/phones.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startBotApi } from '../support/web/bot-api.ts'

const databaseClock = createMovedClock('database-clock')
const launcher = ['env', ...Object.entries(databaseClock.environment).map(([name, value]) => `${name}=${value}`)]
const [own, nats, unsynced, botApi] = await Promise.all([
  createPrivatePostgres(launcher),
  createPrivateNats(),
  createPrivateNats((config) => config.replace('sync_interval: always', '')),
  startBotApi(),
])
const phones = await installPhones(1, 1, {}, own)
const directory = fileDirectory()
const environment = {
  ...phones.environment,
  RINGPROOF_NATS_URL: nats.url,
  RINGPROOF_NATS_MONITOR_URLS: nats.monitorUrl,
  RINGPROOF_NUMBERING_DIR: `${directory}/numbering`,
  RINGPROOF_TELEGRAM_TOKEN: botApi.token,
  RINGPROOF_TELEGRAM_API: botApi.url,
}
const secretsDir = phones.environment['RINGPROOF_SECRETS_DIR'] ?? ''
await importFictitiousRegistry(environment)

test('a sound installation has no bad finding, and the process exits with 0', async () => {
  const { status, out, err } = await ringproof(environment, 'doctor')
  assert.equal(err, '')
  assert.equal(status, 0, out)
  assert.doesNotMatch(out, /^BAD/m)
  const lines = out.trimEnd().split('\n')
  for (const line of lines.slice(0, -2)) assert.match(line, /^(good|WARNING) +[a-z-]+ {2,}\S.*\./, line)
  for (const line of lines.filter((text) => text.startsWith('WARNING'))) assert.match(line, / Fix: \S/)
  assert.match(lines.at(-1) ?? '', /^\d+ good, \d+ warnings, 0 bad\.$/)
})

test('the same results as data', async () => {
  const { findings } = await examined(environment)
  const goodChecks = [
    'database',
    'pooler',
    'migrations',
    'currency',
    'durability',
    'clock',
    'nats',
    'nats-sync',
    'codes',
    'secrets',
  ]
  for (const check of [...goodChecks, 'confirmation-numbers', 'registry', 'telegram', 'proxy', 'disk', 'trunks']) {
    const levels = findings.filter((finding) => finding.check === check).map(({ level }) => level)
    assert(levels.length > 0 && levels.every((level) => level === 'good'), check)
  }
  for (const { level, fix } of findings) assert.equal(fix === undefined, level === 'good')
})

test('a closed port of the database, and of NATS', async () => {
  const port = await freePort()
  const url = new URL(own.url)
  url.port = String(port)
  const closed = await examined({ ...environment, RINGPROOF_DATABASE_URL: url.href })
  assertFound(closed, 'bad', 'database', /nothing listens on this port/, /^systemctl start postgresql$/)
  const withoutNats = await examined({ ...environment, RINGPROOF_NATS_URL: `nats://127.0.0.1:${port}` })
  assertFound(withoutNats, 'bad', 'nats', /nothing listens on this port/, /^systemctl start nats-server$/)
})

test("PostgreSQL's clock five minutes off", async (t) => {
  t.after(() => databaseClock.move('+0'))
  databaseClock.move('+5m')
  assertFound(
    await examined(environment),
    'bad',
    'clock',
    /^Its clock is (299|300|301) s ahead of/,
    /timedatectl set-ntp/,
  )
  databaseClock.move('-5m')
  assertFound(
    await examined(environment),
    'bad',
    'clock',
    /^Its clock is (299|300|301) s behind/,
    /timedatectl set-ntp/,
  )
  databaseClock.move('-10')
  assertFound(await examined(environment), 'warning', 'clock', /10 s behind/, /timedatectl set-ntp/)
})

test('another currency than that of the database', async () => {
  const euros = await examined({ ...environment, RINGPROOF_CURRENCY: 'EUR' })
  assertFound(euros, 'bad', 'currency', /^Its amounts are in RUB, and .* is EUR\.$/, /^RINGPROOF_CURRENCY=RUB, or/)
})

test('a stale registry', async (t) => {
  const pointer = `${environment.RINGPROOF_NUMBERING_DIR}/current.json`
  const setAge = (days: number) => utimesSync(pointer, new Date(), new Date(Date.now() - days * 86_400_000))
  t.after(() => setAge(0))
  setAge(31)
  const url = { RINGPROOF_REGISTRY_URL: 'http://127.0.0.1:9/' }
  assertFound(
    await examined({ ...environment, ...url }),
    'bad',
    'registry',
    /31 days ago/,
    /^ringproof registry fetch$/,
  )
  setAge(8)
  assertFound(await examined(environment), 'warning', 'registry', /8 days ago/, /^ringproof registry import FILE…$/)
})

test('a code without a number', async () => {
  const { globalDatabase } = phones.slots
  const ranges = ['first', 'second'].map((trunk, index) => {
    const first = 77_000_000_000 + index * 10_000
    return { trunk, country: 'KZ', first, last: first + 9_999 }
  })
  // Without the numbers that end with 4321.
  for (const range of ranges) {
    await deleteCallerRange(globalDatabase, range)
    await insertCallerRange(globalDatabase, { ...range, last: range.first + 4_320 })
    await insertCallerRange(globalDatabase, { ...range, first: range.first + 4_322 })
  }
  assertFound(
    await examined(environment),
    'warning',
    'codes',
    /^1 of 9999 codes have no caller number, such as 4321:/,
    /^ringproof numbers add-range --trunk first --country KZ --first …4321 --last …4321$/,
  )
  await insertCallerRange(globalDatabase, { trunk: 'first', country: 'KZ', first: 77000004321, last: 77000004321 })
  assert((await examined(environment)).findings.some(({ check, subject }) => check === 'codes' && subject === 'KZ'))
})

test('NATS that does not sync, and one whose sync interval is unknown', async () => {
  const monitored = { RINGPROOF_NATS_URL: unsynced.url, RINGPROOF_NATS_MONITOR_URLS: unsynced.monitorUrl }
  const found = await examined({ ...environment, ...monitored })
  assertFound(found, 'bad', 'nats-sync', /^JetStream syncs every 120 s/, /sync_interval: always.*restart nats-server/)
  const unknown = await examined({ ...environment, RINGPROOF_NATS_MONITOR_URLS: '' })
  assertFound(unknown, 'warning', 'nats-sync', /is unknown/, /RINGPROOF_NATS_MONITOR_URLS=/)
})

test('a pooler in transaction mode, and one that rejects our timeouts', async () => {
  const transaction = await pooled(own.url, 'transaction', withoutDeadlines)
  const found = await examined({ ...environment, RINGPROOF_DATABASE_URL: transaction })
  assertFound(found, 'bad', 'pooler', /pool_mode/, /RINGPROOF_DATABASE_URL .*PostgreSQL's own port/)
  const session = await pooled(own.url, 'session')
  const refused = await examined({ ...environment, RINGPROOF_DATABASE_URL: session })
  assertFound(refused, 'bad', 'pooler', /session timeouts/, /RINGPROOF_DATABASE_URL/)
})

test('keys that others can read, and keys that are missing', async (t) => {
  const file = `${secretsDir}/seal-records-1.key`
  t.after(() => chmodSync(file, 0o400))
  chmodSync(file, 0o444)
  const found = await examined(environment)
  assertFound(found, 'bad', 'secrets', /can read seal-records-1\.key\.$/, /^chmod 0700 .* && chmod 0400 .*\*\.key$/)
  const missing = await examined({ ...environment, RINGPROOF_SECRETS_DIR: `${directory}/none` })
  assertFound(missing, 'bad', 'secrets', /there is no key phone-tenant-1\.key/, /^ringproof setup$/)
})

test('an expired certificate, and one that expires within a month', async () => {
  const expired = { RINGPROOF_NATS_CA_FILE: certificate('expired', '-10d', 2) }
  const found = await examined({ ...environment, ...expired })
  assertFound(found, 'bad', 'certificates', /expired on \d{4}-\d\d-\d\d\.$/, /^install -m 0644 NEW\.pem .*expired\.pem/)
  const soon = { RINGPROOF_NATS_CA_FILE: certificate('soon', '+0', 20) }
  assertFound(await examined({ ...environment, ...soon }), 'warning', 'certificates', /valid until/, /^install /)
  const later = { RINGPROOF_NATS_CA_FILE: certificate('later', '+0', 200) }
  assert.deepEqual(badOnes((await examined({ ...environment, ...later })).findings), [])
})

test('PostgreSQL settings that lose commits are reset where they were set', async (t) => {
  const run = (statement: string) => asOwner((client) => client.query(statement), own.superuserUrl)
  t.after(() => run('ALTER ROLE ringproof_app RESET ALL'))
  await run('ALTER ROLE ringproof_app SET synchronous_commit = off')
  const fix = /^psql -c "ALTER ROLE ringproof_app RESET synchronous_commit"$/
  assertFound(await examined(environment), 'bad', 'durability', /synchronous_commit = off: a crash can lose calls/, fix)
})

test('an empty database, a superuser', async () => {
  const { url } = await emptyDatabase()
  const found = await examined({ ...environment, RINGPROOF_DATABASE_URL: url })
  assertFound(found, 'bad', 'migrations', /older than this program/, /^ringproof migrate$/)
  const superuser = own.superuserUrl.replace(/\/postgres$/, new URL(own.url).pathname)
  const asSuperuser = await examined({ ...environment, RINGPROOF_DATABASE_URL: superuser })
  assertFound(asSuperuser, 'bad', 'database-login', /is a superuser/, /NOSUPERUSER/)
})

test('a mail server and a bot that refuse us; no secret is printed', async (t) => {
  t.after(() => {
    botApi.fail = 200
  })
  const mail = { RINGPROOF_MAIL_URL: `smtp://ringproof:SECRET-WORD@127.0.0.1:${await freePort()}` }
  const found = await examined({ ...environment, ...mail })
  assertFound(found, 'bad', 'mail', /nothing listens on this port|ECONNREFUSED/, /RINGPROOF_MAIL_URL/)
  assert(!found.text.includes('SECRET-WORD'))
  botApi.fail = 401
  const refused = await examined(environment)
  assertFound(refused, 'bad', 'telegram', /^The bot cannot be used: /, /RINGPROOF_TELEGRAM_/)
  for (const { text } of [found, refused]) assert(!text.includes(botApi.token))
  assert(!found.text.includes(decodeURIComponent(new URL(own.url).password)))
})

test('settings that cannot be read, and a proxy that is not trusted', async () => {
  const broken = await examined({ ...environment, RINGPROOF_HTTP_PORT: 'x', RINGPROOF_NATS_PREFIX: 'A B' })
  assert.deepEqual(
    broken.findings.map(({ level, check, subject }) => [level, check, subject]),
    ['RINGPROOF_HTTP_PORT', 'RINGPROOF_NATS_PREFIX'].map((name) => ['bad', 'settings', name]),
  )
  const https = await examined({ ...environment, RINGPROOF_PUBLIC_URL: 'https://verify.example.org' })
  assertFound(https, 'bad', 'proxy', /share one rate limit/, /^RINGPROOF_TRUSTED_PROXIES=127\.0\.0\.1$/)
})

test('servers that accept a connection and never respond: one bad finding each, within ten seconds', async () => {
  const { port } = await plainListener('', '')
  const url = new URL(own.url)
  url.port = String(port)
  const silent = {
    ...environment,
    RINGPROOF_DATABASE_URL: url.href,
    RINGPROOF_NATS_URL: `nats://127.0.0.1:${port}`,
    RINGPROOF_NATS_MONITOR_URLS: `http://127.0.0.1:${port}`,
    RINGPROOF_SWITCH: 'asterisk',
    RINGPROOF_ARI_URL: `http://127.0.0.1:${port}`,
    RINGPROOF_ARI_PASSWORD: 'x',
    RINGPROOF_MAIL_URL: `smtp://127.0.0.1:${port}`,
    RINGPROOF_TELEGRAM_API: `http://127.0.0.1:${port}`,
  }
  const startedMs = performance.now()
  await examined(environment)
  const silentFromMs = performance.now()
  await examined(silent)
  const tookMs = performance.now() - silentFromMs
  // Ten seconds of waiting, besides what the same checks take on this machine.
  assert(tookMs < 10_000 + 5 * (silentFromMs - startedMs), `${tookMs} ms`)
  // And as a process, whose start is not counted: it ends.
  const { status, out, err } = await ringproof(silent, 'doctor')
  assert.equal(err, '')
  assert.equal(status, 1)
  const checks = [...out.matchAll(/^BAD +([a-z-]+)/gm)].map(([, check]) => check)
  assert.deepEqual(checks, ['database', 'nats', 'nats-sync', 'asterisk', 'mail', 'telegram'])
  assert.doesNotMatch(out, /^ +at /m)
})

// Self-signed, valid for some days from a moment on.
function certificate(name: string, offset: string, validDays: number): string {
  const clock = createMovedClock(name)
  clock.move(offset)
  const path = `${directory}/${name}.pem`
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', `/CN=${name}`]
  execFileSync('openssl', ['req', ...kind, '-days', String(validDays), '-keyout', `${path}.key`, '-out', path], {
    env: { ...process.env, ...clock.environment },
    stdio: 'ignore',
  })
  return path
}
