// Backup and restore with the files of deploy/backup, pgBackRest and age (T40, F25): under load, everything is destroyed, and
// restored to a moment between two calls. Needs root; installs what is missing.

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { installImageTools } from '../../scripts/image/tools.ts'
import { atEnd } from '../support/at-end.ts'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { asOwner, emptyDatabase } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, type Served, serveProcess } from '../support/process/server.ts'

const drillMsMax = 120_000
const loadEveryMs = 50
const deploy = join(import.meta.dirname, '../../deploy/backup')

await installImageTools([
  ['pgbackrest', ['pgbackrest', 'version']],
  ['age', ['age', '--version']],
])

const postgres = await createPrivatePostgres()
const installation = await installPhones(1, 1, {}, postgres)
const service = await makeService(installation, 1_000)
const directory = openDirectory()
const backrest = await setUpPgBackRest()
const { secrets, identity, recipients } = await keepSecrets()
const environment = { ...installation.environment, RINGPROOF_BACKUP_STANZAS: 'ringproof', ...backrest.environment }
const phones: string[] = []

test('under load, destroyed, restored to a moment between two calls', async (t) => {
  const startedMs = performance.now()
  const served = await serveProcess(installation)
  const load = startLoad(served)
  await backrest.run('--type=full', 'backup')
  await backrest.run('--type=incr', 'backup')
  const one = await startCall(served)
  assert.equal((await settled(served.base, service, one))['call_status'], 1)
  const target = await readNow()
  const two = await startCall(served)
  assert.equal((await settled(served.base, service, two))['call_status'], 1)
  const accepted = await load.end()
  // Its last segment reaches the repository; archive_timeout would do it within a minute.
  await superuser('SELECT pg_switch_wal()')
  await backrest.run('check')
  const status = await ringproofJson<{
    stanzas: { level: string; age_seconds: number; backups: { type: string }[] }[]
  }>(environment, 'backup', 'status')
  assert.deepEqual(
    status.stanzas.map(({ level, backups }) => [level, backups.map(({ type }) => type)]),
    [['good', ['full', 'incr']]],
  )

  const destroyedMs = performance.now()
  served.running.process.kill('SIGKILL')
  await served.running.ended
  await postgres.server.kill()
  rmSync(postgres.server.dataDirectory, { recursive: true })
  rmSync(String(installation.environment['RINGPROOF_SECRETS_DIR']), { recursive: true })

  mkdirSync(postgres.server.dataDirectory, { mode: 0o700 })
  chownSync(postgres.server.dataDirectory, backrest.uid, backrest.uid)
  await backrest.run('--type=time', `--target=${target}`, '--target-action=promote', 'restore')
  postgres.server.start()
  await postgres.server.ready()
  await backrest.promoted()
  secrets.restore()
  const finished = await ringproof(environment, 'backup', 'finish-restore', '--yes')
  assert.equal(finished.status, 0, finished.err)
  const again = await serveProcess({
    ...installation,
    environment: { ...environment, RINGPROOF_NATS_PREFIX: 'restored' },
  })
  const restoredMs = performance.now()

  const { sum, faults } = await ringproofJson<{ sum: number; faults: unknown[] }>(environment, 'ledger', 'audit')
  assert.deepEqual([sum, faults], [0, []])
  assert.equal((await settled(again.base, service, one))['call_status'], 1, 'call 1 is there')
  assert.match((await ringproof(environment, 'verifications', 'show', String(two))).err, /a restore from a backup lost/)
  // The sealed mask is readable, the number itself is nowhere.
  assert.match((await ringproof(environment, 'verifications', 'show', String(one))).out, /\*/)
  const three = await startCall(again)
  assert.equal((await settled(again.base, service, three))['call_status'], 1, 'calls ring again')
  assert(three > two)
  again.running.process.kill('SIGTERM')
  await again.running.ended

  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  t.diagnostic(
    `${accepted} calls accepted under load, none refused; destroyed to serving ${seconds(restoredMs - destroyedMs)} s, ` +
      `the whole drill ${seconds(performance.now() - startedMs)} s`,
  )
  assert(performance.now() - startedMs <= drillMsMax)
})

test('without its passphrase a backup is unreadable; without the keys a restored database is', async () => {
  const wrong = join(directory, 'wrong.conf')
  writeFileSync(wrong, backrest.config.replace(/^(repo1-cipher-pass=).*$/m, '$1another'), { mode: 0o644 })
  const target = join(directory, 'elsewhere')
  mkdirSync(target, { mode: 0o700 })
  chownSync(target, backrest.uid, backrest.uid)
  await assert.rejects(
    backrest.runWith(wrong, `--pg1-path=${target}`, 'restore'),
    /cipher|CryptoError|unable to (load|flush)/i,
  )

  const empty = join(directory, 'no-keys')
  mkdirSync(empty, { mode: 0o700 })
  const other = { ...environment, RINGPROOF_SECRETS_DIR: empty }
  assert.match((await ringproof(other, 'verifications', 'list')).err, /key/i)
  assert.match((await ringproof(other, 'setup')).err, /seal-records-1\.key is missing/)
  await ringproof(other, 'setup', '--new-installation')
  assert.match((await ringproof(other, 'verifications', 'list')).err, /seal-records-1\.key is another key/)
})

test('no phone number is in the repository, the restored files or a dump of the database', async () => {
  const dump = join(directory, 'plain.sql')
  execFileSync('pg_dump', [`--file=${dump}`, postgres.ownerUrl])
  await superuser('CHECKPOINT')
  const places = [join(directory, 'repository'), postgres.server.dataDirectory, dump]
  assert.deepEqual(filesWithNumbers(places), [])
  // Positive control: the same search finds a number in a table.
  await asOwner((client) => client.query(`CREATE TABLE control AS SELECT '+${phones[0]}' AS phone`), postgres.ownerUrl)
  await superuser('CHECKPOINT')
  assert.notDeepEqual(filesWithNumbers(places), [])
  await asOwner((client) => client.query('DROP TABLE control'), postgres.ownerUrl)
})

test('an encrypted dump is read back, restored elsewhere, and refused if a byte was changed', async () => {
  const file = join(directory, 'ringproof.dump.age')
  const script = join(deploy, 'ringproof-dump')
  assert.match(execFileSync(script, ['write', postgres.ownerUrl, recipients, file], { encoding: 'utf8' }), /read back/)
  const copy = await emptyDatabase()
  execFileSync(script, ['restore', file, identity, copy.ownerUrl])
  const restored = { ...environment, RINGPROOF_DATABASE_URL: copy.url }
  assert.equal((await ringproof(restored, 'backup', 'finish-restore', '--yes')).status, 0)
  const audit = await ringproofJson<{ accounts: number; faults: unknown[] }>(restored, 'ledger', 'audit')
  assert.deepEqual([audit.accounts > 0, audit.faults], [true, []])

  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const second = await emptyDatabase()
  assert.throws(() => execFileSync(script, ['restore', file, identity, second.ownerUrl], { stdio: 'pipe' }))
})

type Load = { readonly end: () => Promise<number> }

// Every call must be accepted.
function startLoad({ base }: Served): Load {
  const stopping = new AbortController()
  const asked: Promise<unknown>[] = []
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      asked.push(startCall({ base }))
      await sleep(loadEveryMs)
    }
  })()
  return {
    end: async () => {
      stopping.abort()
      await loop
      return (await Promise.all(asked)).length
    },
  }
}

async function startCall({ base }: Pick<Served, 'base'>): Promise<number> {
  const phone = freshNumber('180')
  phones.push(phone)
  const { json, text } = await ask(`${base}/v1.0/initCall`, {
    method: 'POST',
    headers: service.bearer,
    body: { phone },
  })
  assert.equal(json['status'], true, text)
  return Number(json['vendor_id'])
}

async function readNow(): Promise<string> {
  const [row] = await superuser('SELECT clock_timestamp()::text AS now')
  return String(row?.['now'])
}

async function superuser(statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.superuserUrl })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

// The shipped files, with the paths of this test.
async function setUpPgBackRest() {
  const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }))
  for (const name of ['repository', 'spool', 'log', 'lock', 'socket']) {
    mkdirSync(join(directory, name), { mode: 0o700 })
    chownSync(join(directory, name), uid, uid)
  }
  const { port } = new URL(postgres.superuserUrl)
  const config = readFileSync(join(deploy, 'pgbackrest.conf'), 'utf8')
    .replace('/var/lib/pgbackrest', join(directory, 'repository'))
    .replace('/var/spool/pgbackrest', join(directory, 'spool'))
    .replace('/var/log/pgbackrest', join(directory, 'log'))
    .replace('/var/lib/postgresql/17/main', postgres.server.dataDirectory)
    .replace('pg1-port=5432', `pg1-port=${port}\npg1-socket-path=${join(directory, 'socket')}`)
    .replace(
      'repo1-cipher-pass=',
      `repo1-cipher-pass=${execFileSync('openssl', ['rand', '-base64', '48'], { encoding: 'utf8' }).trim()}`,
    )
    .replace('[global]', `[global]\nlock-path=${join(directory, 'lock')}`)
  const path = join(directory, 'pgbackrest.conf')
  writeFileSync(path, config, { mode: 0o600 })
  chownSync(path, uid, uid)
  const runWith = async (configPath: string, ...args: readonly string[]) =>
    promisify(execFile)('setpriv', [
      '--reuid=postgres',
      '--regid=postgres',
      '--clear-groups',
      'pgbackrest',
      `--config=${configPath}`,
      '--stanza=ringproof',
      '--log-level-stderr=warn',
      ...args,
    ])
  const run = (...args: readonly string[]) => runWith(path, ...args)

  const settings = readFileSync(join(deploy, 'postgresql.conf'), 'utf8').replace(
    'pgbackrest --stanza',
    `pgbackrest --config=${path} --stanza`,
  )
  const home = join(postgres.server.dataDirectory, '..')
  const socket = `unix_socket_directories = '${join(directory, 'socket')}'\n`
  writeFileSync(join(home, 'postgresql.conf'), `${settings}${socket}`, { flag: 'a' })
  writeFileSync(join(home, 'pg_hba.conf'), 'local all postgres peer\n', { flag: 'a' })
  await postgres.server.kill()
  postgres.server.start()
  await postgres.server.ready()
  await run('stanza-create')
  return {
    uid,
    config,
    environment: { PGBACKREST_CONFIG: path },
    run,
    runWith,
    // PostgreSQL accepts connections a moment before it accepts writes.
    promoted: () =>
      poll('the database to be promoted', async () => {
        const [row] = await superuser('SELECT pg_is_in_recovery() AS is_standby')
        return row?.['is_standby'] === false
      }),
  }
}

// The keys, encrypted for an identity that is kept elsewhere.
async function keepSecrets() {
  const secretsDir = String(installation.environment['RINGPROOF_SECRETS_DIR'])
  const [identityFile, recipientsFile, kept] = ['identity.txt', 'recipients.txt', 'secrets.tar.age'].map((name) =>
    join(directory, name),
  ) as [string, string, string]
  execFileSync('age-keygen', ['-o', identityFile], { stdio: 'ignore' })
  writeFileSync(recipientsFile, execFileSync('age-keygen', ['-y', identityFile]))
  const shell = (command: string) => execFileSync('bash', ['-o', 'pipefail', '-c', command])
  shell(`tar -C '${secretsDir}' -c . | age --encrypt --recipients-file '${recipientsFile}' >'${kept}'`)
  const restore = () => {
    mkdirSync(secretsDir, { mode: 0o700 })
    shell(`age --decrypt --identity '${identityFile}' '${kept}' | tar -C '${secretsDir}' -x`)
  }
  return { secrets: { restore }, identity: identityFile, recipients: recipientsFile }
}

// In the spellings that a log or a table may have.
function filesWithNumbers(places: readonly string[]): readonly string[] {
  const patterns = join(directory, 'patterns')
  writeFileSync(patterns, phones.flatMap((phone) => [phone, phone.slice(1)]).join('\n'))
  try {
    return execFileSync('grep', ['-rlaF', '-f', patterns, ...places], { encoding: 'utf8', maxBuffer: 1e8 })
      .trim()
      .split('\n')
  } catch (error) {
    // 1: nothing was found.
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}

// PostgreSQL's user works in it.
function openDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'ringproof-backup-'))
  chmodSync(path, 0o755)
  atEnd(async () => rmSync(path, { recursive: true, force: true }))
  return path
}
