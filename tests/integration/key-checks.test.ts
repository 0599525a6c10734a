// Keys that do not belong to the data: lost, foreign, half restored, of another moment. `serve`, `setup`, `doctor` and every command
// say which file it is and where it should be, and write nothing.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { sealedColumns } from '../../server/src/db/core/sealed-column.ts'
import { makeMissingSecrets, ringNames } from '../../server/src/process/secrets.ts'
import { asOwner, emptyDatabase } from '../support/database/test-database.ts'
import { ringproof } from '../support/process/cli.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { examined } from '../support/process/doctor.ts'
import { install, makeService, serve } from '../support/process/server.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const installation = await install()
const { environment, database } = installation
const dir = environment['RINGPROOF_SECRETS_DIR'] ?? ''
const cli = createCli(environment)
await makeService(installation, 10)
await cli.json('services', 'list')

test('the first command records a digest of every key, and nothing of the keys', async () => {
  const { rows } = await query('SELECT ring, number, activated_at IS NOT NULL AS active FROM key_checks ORDER BY ring')
  assert.deepEqual(
    rows,
    ringNames.toSorted().map((ring) => ({ ring, number: 1, active: true })),
  )
  const dump = execFileSync('pg_dump', [database.ownerUrl]).toString('utf8')
  for (const file of readdirSync(dir)) {
    const key = Buffer.from(readFileSync(`${dir}/${file}`, 'utf8'), 'base64')
    assert(!dump.includes(key.toString('hex')) && !dump.includes(key.toString('base64')))
  }
})

for (const { what, change, sentence } of [
  {
    what: 'keys of another installation',
    change: (keys: string) => {
      rmSync(keys, { recursive: true })
      makeMissingSecrets(keys, randomBytes)
    },
    sentence: ringNames.map((ring) => `${ring}-1.key is another key`),
  },
  {
    what: 'one foreign key among our own',
    change: (keys: string) => {
      rmSync(`${keys}/phone-tenant-1.key`)
      makeMissingSecrets(keys, randomBytes)
    },
    sentence: ['phone-tenant-1.key is another key'],
  },
  {
    what: 'a key that only hashes is lost, and another number stands in for it',
    change: (keys: string) => {
      copyFileSync(`${keys}/phone-subscriber-1.key`, `${keys}/phone-subscriber-2.key`)
      rmSync(`${keys}/phone-subscriber-1.key`)
    },
    sentence: ['phone-subscriber-1.key is missing', 'phone-subscriber-2.key is newer than the database'],
  },
]) {
  test(`${what}: serve, setup, doctor and commands name the files, and write nothing`, async (t) => {
    const keys = `${temporaryDirectory(t)}/keys`
    cpSync(dir, keys, { recursive: true })
    change(keys)
    const before = [snapshot(keys), await data()]
    const other = { ...environment, RINGPROOF_SECRETS_DIR: keys }
    const { host } = new URL(database.url)
    const named = new RegExp(
      `^The keys in ${keys} are not those of the database ${host}/ringproof_test_\\w+: (.*); copy them from your backup of the keys to ${keys}\\.$`,
    )
    const faultsIn = (text: string) => named.exec(text.trim())?.[1]?.split(', ').toSorted()
    const faults = sentence.toSorted()

    for (const command of [['accounts', 'list'], ['setup'], ['secrets', 'add', 'seal-numbers']]) {
      const { status, err } = await createCli(other).run(...command)
      assert.equal(status, 1, command.join(' '))
      assert.deepEqual(faultsIn(err), faults, err)
    }
    // Keys may have been replaced since the moment restored to, but none becomes another one.
    if (faults.some((fault) => fault.endsWith('another key'))) {
      assert.match((await createCli(other).run('backup', 'finish-restore', '--yes')).err, /is another key/)
    }
    await assert.rejects(serve({ ...installation, environment: other }), ({ message }: Error) => {
      assert.deepEqual(faultsIn(message), faults, message)
      return true
    })
    const findings = (await examined(other)).findings.filter(({ check }) => check === 'secrets')
    assert.deepEqual(
      findings.map(({ level }) => level),
      ['bad'],
    )
    for (const fault of faults) assert(findings[0]?.cause.includes(fault), findings[0]?.cause)
    assert.match(findings[0]?.fix ?? '', /^age --decrypt .* \| tar -C .* -x$/)
    assert.deepEqual([snapshot(keys), await data()], before)
  })
}

test('setup does not make keys in place of lost ones', async (t) => {
  const keys = `${temporaryDirectory(t)}/keys`
  const lost = createCli({ ...environment, RINGPROOF_SECRETS_DIR: keys })
  const { status, err } = await lost.run('setup')
  assert.equal(status, 1)
  for (const ring of ringNames) assert.match(err, new RegExp(`${ring}-1\\.key is missing`))
  assert.deepEqual(readdirSync(temporaryDirectory(t)), [])
  assert.match((await ringproof({ ...environment, RINGPROOF_SECRETS_DIR: keys }, 'serve')).err, /there is no key/)
})

test('setup makes no key while the database does not answer, unless the installation is new', async (t) => {
  const keys = `${temporaryDirectory(t)}/keys`
  const silent = {
    RINGPROOF_DATABASE_URL: `postgres://app@127.0.0.1:${await freePort()}/x`,
    RINGPROOF_SECRETS_DIR: keys,
  }
  const { status, err } = await createCli(silent).run('setup')
  assert.equal(status, 1)
  assert.match(err, /does not answer \(nothing listens on this port\), so nothing says whether phone-tenant-1\.key, /)
  assert.match(err, /`ringproof setup --new-installation`/)
  assert.deepEqual(readdirSync(temporaryDirectory(t)), [])
  assert.equal((await createCli(silent).run('setup', '--new-installation')).status, 0)
  assert.equal(readdirSync(keys).length, ringNames.length)
  assert.match((await createCli(silent).run('setup')).out, /All keys exist; nothing changed/)
})

test('setup makes the keys of a database without tables, and of one without data', async (t) => {
  const empty = await emptyDatabase()
  const keys = `${temporaryDirectory(t)}/keys`
  const first = createCli({
    RINGPROOF_DATABASE_URL: empty.url,
    RINGPROOF_DATABASE_OWNER_URL: empty.ownerUrl,
    RINGPROOF_SECRETS_DIR: keys,
  })
  assert.equal((await first.run('setup')).status, 0)
  assert.equal((await first.run('migrate')).status, 0)
  rmSync(keys, { recursive: true })
  assert.equal((await first.run('setup')).status, 0)
  assert.equal((await first.run('accounts', 'list')).status, 0)
})

test('a key is recorded when it is added, needed by every host when it is active, and forgotten when it is destroyed', async (t) => {
  const here = await install(1)
  const hereDir = here.environment['RINGPROOF_SECRETS_DIR'] ?? ''
  const settings = { ...here.environment, RINGPROOF_TIME_SCALE: '0.001' }
  const hereCli = createCli(settings)
  await makeService(here, 1)
  await hereCli.json('secrets', 'list')
  const otherDir = `${temporaryDirectory(t)}/other-host`
  cpSync(hereDir, otherDir, { recursive: true })
  const otherHost = createCli({ ...settings, RINGPROOF_SECRETS_DIR: otherDir })
  const long = new Date(Date.now() - 365 * 86_400_000)

  await hereCli.json('secrets', 'add', 'seal-records')
  await otherHost.json('secrets', 'list')
  assert.match(
    (await otherHost.run('secrets', 'add', 'seal-records')).err,
    /seal-records-2\.key was added on another host: copy it from there\./,
  )

  utimesSync(`${hereDir}/seal-records-2.key`, long, long)
  await hereCli.json('secrets', 'activate', 'seal-records', '--on-every-host')
  assert.match((await otherHost.run('secrets', 'list')).err, /: seal-records-2\.key is missing; copy them/)
  copyFileSync(`${hereDir}/seal-records-2.key`, `${otherDir}/seal-records-2.key`)
  await otherHost.json('secrets', 'list')
  copyFileSync(`${hereDir}/seal-records.active`, `${otherDir}/seal-records.active`)

  await hereCli.json('secrets', 'reseal')
  utimesSync(`${hereDir}/seal-records.active`, long, long)
  await hereCli.json('secrets', 'destroy', 'seal-records', '--on-every-host')
  await hereCli.json('secrets', 'list')
  // Its file on the other host is to be deleted, and does no harm until then.
  await otherHost.json('secrets', 'list')
  const { rows } = await asOwner(
    (client) => client.query(`SELECT number FROM key_checks WHERE ring = 'seal-records'`),
    here.database.ownerUrl,
  )
  assert.deepEqual(rows, [{ number: 2 }])

  // As if restored to the moment before the key was added.
  await asOwner(
    (client) => client.query(`UPDATE key_checks SET number = 1, digest = sha256('x') WHERE ring = 'seal-records'`),
    here.database.ownerUrl,
  )
  const { err } = await hereCli.run('accounts', 'list')
  assert.match(err, /seal-records-1\.key is missing, seal-records-2\.key is newer than the database; copy them/)
  const finished = await hereCli.run('backup', 'finish-restore', '--yes')
  assert.equal(finished.status, 0, finished.err)
  assert.match(finished.out, /What was sealed with seal-records-1\.key stays unreadable/)
  assert.equal((await hereCli.run('accounts', 'list')).status, 0)
})

test('a restore to before a key was added: commands name finish-restore, which records it', async () => {
  const here = await install(1)
  const hereDir = here.environment['RINGPROOF_SECRETS_DIR'] ?? ''
  const hereCli = createCli({ ...here.environment, RINGPROOF_TIME_SCALE: '0.001' })
  await makeService(here, 1)
  await hereCli.json('secrets', 'add', 'phone-tenant')
  const long = new Date(Date.now() - 86_400_000)
  utimesSync(`${hereDir}/phone-tenant-2.key`, long, long)
  await hereCli.json('secrets', 'activate', 'phone-tenant', '--on-every-host')
  await asOwner((client) => client.query('DELETE FROM key_checks WHERE number = 2'), here.database.ownerUrl)
  const { err } = await hereCli.run('accounts', 'list')
  assert.match(
    err,
    /phone-tenant-2\.key is newer than the database; if it was restored from a backup, run `ringproof backup finish-restore`/,
  )
  assert.equal((await hereCli.run('backup', 'finish-restore', '--yes')).status, 0)
  assert.equal((await hereCli.run('accounts', 'list')).status, 0)
})

test('data of a version that recorded no keys: what opens it is recorded, other keys are refused', async (t) => {
  const older = await install(1)
  await makeService(older, 1)
  const digests = () =>
    asOwner((client) => client.query('SELECT FROM key_checks'), older.database.ownerUrl).then(
      ({ rowCount }) => rowCount,
    )
  const keys = `${temporaryDirectory(t)}/keys`
  makeMissingSecrets(keys, randomBytes)
  const foreign = createCli({ ...older.environment, RINGPROOF_SECRETS_DIR: keys })
  assert.match((await foreign.run('accounts', 'list')).err, /: seal-records-1\.key is another key; copy them/)
  rmSync(keys, { recursive: true })
  const { err } = await foreign.run('setup')
  for (const ring of ringNames) assert.match(err, new RegExp(`${ring}-1\\.key is missing`))
  assert.equal(await digests(), 0)
  assert.equal((await createCli(older.environment).run('accounts', 'list')).status, 0)
  assert.equal(await digests(), ringNames.length)
})

test('of two processes with different new keys, the first one decides', async (t) => {
  const fresh = await install(1)
  const keys = `${temporaryDirectory(t)}/keys`
  makeMissingSecrets(keys, randomBytes)
  const both = [fresh.environment, { ...fresh.environment, RINGPROOF_SECRETS_DIR: keys }].map((one) =>
    createCli(one).run('accounts', 'list'),
  )
  assert.deepEqual(
    (await Promise.all(both)).map(({ status }) => status).toSorted((a, b) => a - b),
    [0, 1],
  )
})

test('every sealed column has samples', async () => {
  const { rows } = await query(`SELECT pg_get_functiondef('sealed_samples'::regproc) AS source`)
  const listed = [...String(rows[0]?.['source']).matchAll(/\('(\w+)', '(\w+)', /g)].map(
    ([, table, column]) => `${table}.${column}`,
  )
  assert.deepEqual(listed.toSorted(), sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted())
})

function query(sql: string): Promise<{ rows: Record<string, unknown>[] }> {
  return asOwner((client) => client.query(sql), database.ownerUrl)
}

async function data(): Promise<unknown> {
  const { rows } = await query('SELECT * FROM key_checks ORDER BY ring, number')
  const { rows: counts } = await query(
    'SELECT (SELECT count(*) FROM services) AS services, (SELECT count(*) FROM action_log) AS actions, (SELECT count(*) FROM restores) AS restores',
  )
  return { rows, counts }
}

function snapshot(keys: string): readonly string[] {
  return readdirSync(keys).map((file) => `${file} ${readFileSync(`${keys}/${file}`, 'utf8')}`)
}
