// TLS to NATS and PostgreSQL: where it is configured it is enforced, and no secret is sent before it is established.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nkeys } from '@nats-io/transport-node'
import { natsCommand } from '../../scripts/stack/parts/nats.ts'
import { connect } from '../../server/src/db/core/database.ts'
import { migrate } from '../../server/src/db/core/migrate.ts'
import { connectBus } from '../../server/src/engine/core/bus.ts'
import { connectTo, type NatsServers } from '../../server/src/engine/core/nats-servers.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { createChild } from '../crash/child.ts'
import { createPorts, createPostgres } from '../crash/servers.ts'
import { atEnd } from '../support/at-end.ts'
import { testAuthority } from '../support/network/certificates.ts'
import { plainListener } from '../support/network/plain-listener.ts'
import { ringproof } from '../support/process/cli.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const password = 'SECRET-PASSWORD'
const directory = fileDirectory()
chmodSync(directory, 0o755)
const [ours, theirs] = ['ours', 'theirs'].map((name) => testAuthority(directory, name))
assert(ours && theirs)
const certificate = ours.issue('IP:127.0.0.1')
const forAnotherHost = ours.issue('DNS:localhost')
const freePort = createPorts()
const user = nkeys.createUser()
const credsFile = join(directory, 'ringproof.creds')
writeFileSync(credsFile, credsOf(user))
const nats = await natsOverTls(certificate)
const natsElsewhere = await natsOverTls(forAnotherHost)
const postgres = await postgresOverTls()
const info = { server_id: 'x', version: '2.12.3', proto: 1, headers: true, max_payload: 1_048_576, auth_required: true }
const strippedNats = await plainListener(`INFO ${JSON.stringify(info)}\r\n`, 'PONG\r\n')
// PostgreSQL's reply to an SSLRequest when it has no TLS.
const strippedPostgres = await plainListener('', 'N')

test('tls:// to a NATS without TLS is refused before the password is sent', async () => {
  const url = `tls://ringproof:${password}@127.0.0.1:${strippedNats.port}`
  await assert.rejects(tryNats({ natsUrls: [url] }), (error: Error) => {
    assert.match(error.message, /^RINGPROOF_NATS_URL: NATS at tls:\/\/127\.0\.0\.1:\d+ cannot be used: .*offer TLS/)
    assert(!error.message.includes(password))
    return true
  })
  await strippedNats.left
  assert.equal(strippedNats.received(), '')
})

test('tls:// to a NATS with a trusted certificate carries streams, with password login', async () => {
  const url = (login: string) => `tls://${login}@127.0.0.1:${nats.port}`
  const trusting = { natsCaFile: ours.certFile }
  const log = createLog({ write: () => undefined })
  const servers = { natsUrls: [url(`ringproof:${password}`)], ...trusting }
  const bus = await connectBus(servers, `test-${randomBytes(4).toString('hex')}`, 1, createClock(1), log)
  assert.equal(bus.isUp(), true)
  await bus.close()
  await assert.rejects(tryNats({ natsUrls: [url('ringproof:wrong')], ...trusting }), /Authorization Violation/)
})

test('a credentials file logs in to NATS; another key does not', async () => {
  const servers = { natsUrls: [`tls://127.0.0.1:${nats.port}`], natsCaFile: ours.certFile, natsCredsFile: credsFile }
  await tryNats(servers)
  const stranger = join(directory, 'stranger.creds')
  writeFileSync(stranger, credsOf(nkeys.createUser()))
  await assert.rejects(tryNats({ ...servers, natsCredsFile: stranger }), /Authorization Violation/)
})

test('a NATS certificate for another host or from another CA is refused', async () => {
  const url = (port: number) => `tls://ringproof:${password}@127.0.0.1:${port}`
  const elsewhere = { natsUrls: [url(natsElsewhere.port)], natsCaFile: ours.certFile }
  await assert.rejects(tryNats(elsewhere), /does not match certificate's altnames/)
  await assert.rejects(tryNats({ natsUrls: [url(nats.port)], natsCaFile: theirs.certFile }), /certificate/)
  await assert.rejects(tryNats({ natsUrls: [url(nats.port)] }), /certificate/)
})

test('sslmode=verify-full to a PostgreSQL without TLS is refused before user and password are sent', async () => {
  const url = `postgres://ringproof_app:${password}@127.0.0.1:${strippedPostgres.port}/ringproof?sslmode=verify-full`
  await assert.rejects(tryPostgres(url), /does not support SSL/)
  await strippedPostgres.left
  // The SSLRequest and nothing else.
  assert.equal(Buffer.from(strippedPostgres.received(), 'latin1').toString('hex'), '0000000804d2162f')
})

test('sslmode=verify-full connects only if CA and host name match the certificate', async () => {
  const url = postgres.url('postgres', 'postgres')
  const over = (caFile: string, address = url) =>
    tryPostgres(`${address}?sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`)
  assert.equal(await over(ours.certFile), true)
  await assert.rejects(over(theirs.certFile), /certificate/)
  // The same server under a name that its certificate does not have.
  await assert.rejects(
    over(ours.certFile, url.replace('127.0.0.1', 'localhost')),
    /does not match certificate's altnames/,
  )
  await assert.rejects(tryPostgres(`${url}?sslmode=verify-full`), /certificate/)
  assert.equal(await tryPostgres(url), false)
  const progress = { waiting: () => undefined, done: () => undefined }
  const wrong = `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(theirs.certFile)}`
  await assert.rejects(migrate(wrong, progress), /certificate/)
})

test('a start that would send a password in clear text to another host names the setting and the fix', async () => {
  const { status, err } = await ringproof(
    {
      RINGPROOF_DATABASE_URL: 'postgres://ringproof_app:hunter2@db.example.org/ringproof',
      RINGPROOF_NATS_URL: 'nats://ringproof:hunter2@bus.example.org',
      RINGPROOF_ARI_URL: 'http://10.0.0.7:8088',
      RINGPROOF_SECRETS_DIR: directory,
    },
    'serve',
  )
  assert.equal(status, 1)
  assert.doesNotMatch(err, /hunter2/)
  assert.match(err, /RINGPROOF_DATABASE_URL: postgres:\/\/db\.example\.org would send .*sslmode=verify-full/)
  assert.match(err, /RINGPROOF_NATS_URL: nats:\/\/bus\.example\.org would send .*tls:\/\//)
  assert.match(err, /RINGPROOF_ARI_URL: http:\/\/10\.0\.0\.7 would send .*https:\/\//)
  assert.equal(err.match(/RINGPROOF_PLAIN_CONNECTIONS/g)?.length, 3)
})

async function tryNats(servers: NatsServers): Promise<void> {
  const connection = await connectTo(servers, { reconnect: false })
  await connection.close()
}

// Whether the session is encrypted, according to the server.
async function tryPostgres(url: string): Promise<boolean> {
  const pool = connect(url)
  try {
    const { rows } = await pool.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    return rows[0]?.ssl === true
  } finally {
    await pool.end()
  }
}

async function natsOverTls({ certFile, keyFile }: typeof certificate): Promise<{ readonly port: number }> {
  const port = await freePort()
  const serverDirectory = join(directory, `nats-${port}`)
  mkdirSync(serverDirectory)
  const config = `listen: "127.0.0.1:${port}"
tls { cert_file: "${certFile}", key_file: "${keyFile}" }
jetstream { store_dir: "${serverDirectory}/store" }
authorization { users: [ { user: ringproof, password: "${password}" }, { nkey: ${user.getPublicKey()} } ] }
`
  writeFileSync(join(serverDirectory, 'nats.conf'), config)
  const server = createChild({
    name: `nats-${port}`,
    command: natsCommand(join(serverDirectory, 'nats.conf')),
    environment: {},
    logDirectory: directory,
    ask: async (logPath) => assert.match(readFileSync(logPath, 'utf8'), /Server is ready/),
    closeSignal: 'SIGTERM',
  })
  server.start()
  atEnd(() => server.close())
  await server.ready()
  return { port }
}

function credsOf(pair: ReturnType<typeof nkeys.createUser>): string {
  const seed = new TextDecoder().decode(pair.getSeed())
  const part = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return `${part('NATS USER JWT', 'e30.e30.e30')}\n${part('USER NKEY SEED', seed)}`
}

async function postgresOverTls() {
  const serverDirectory = join(directory, 'pg')
  mkdirSync(serverDirectory)
  const server = await createPostgres({ directory: serverDirectory, logDirectory: directory, freePort })
  // PostgreSQL refuses a key file that other users may read.
  const own = join(server.dataDirectory, 'server.key')
  copyFileSync(certificate.keyFile, own)
  const { uid, gid } = statSync(server.dataDirectory)
  chownSync(own, uid, gid)
  chmodSync(own, 0o600)
  const settings = `ssl = on\nssl_cert_file = '${certificate.certFile}'\nssl_key_file = '${own}'\n`
  appendFileSync(join(serverDirectory, 'postgres/postgresql.conf'), settings)
  server.start()
  atEnd(() => server.close())
  await server.ready()
  return server
}
