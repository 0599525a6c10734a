// `ringproof privacy`: what is stored about a phone number is found, exported and erased over all accounts and databases.
// After that nothing of it can be decrypted or recognised with the keys: not in a pg_dump, not in the files of NATS.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { uniqueDigests } from '../../server/src/domain/crypto/keyed-digest.ts'
import { unseal } from '../../server/src/domain/crypto/sealing.ts'
import {
  lastingDigest,
  mask,
  type PhoneNumber,
  subscriberHashes,
  tenantHashes,
} from '../../server/src/domain/numbers/phone-number.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { type Cli, createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { type Installation, makeService, serve, type TestService } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

type Row = Readonly<Record<string, unknown>>
type Found = {
  readonly verifications: readonly Row[]
  readonly limits: Row[] | null
  readonly opted_out: string | null
}
type Erased = Readonly<Record<'verifications' | 'in_progress', number>> &
  Readonly<Record<'limits' | 'opt_out', boolean>>

// Each with its own database or databases.
const peopleOver = { 1: await people(1), 2: await people(2) } as const
const natsFiles = new URL('../../.stack/nats/', import.meta.url).pathname

for (const shards of [1, 2] as const) {
  test(`a person is found, exported and erased, over ${shards === 1 ? 'one database' : 'two databases'}`, async () => {
    const { cli, services, installation, start } = peopleOver[shards]
    const [phone, other] = [freshNumber('180'), freshNumber('180')] as PhoneNumber[]
    assert(phone && other)
    const ids = await start(phone)
    await start(other)
    await cli.json('opt-outs', 'add', '--phone', phone)

    const found = await cli.json<Found>('privacy', 'find', '--phone', phone)
    assert.deepEqual(
      found.verifications.map(({ vendor_id: id }) => id),
      ids.toSorted((a, b) => b - a),
    )
    assert.deepEqual(
      found.verifications.map(({ stored }) => stored),
      ['hash, mask, callback URL, vault entry', 'hash, mask, client, unique', 'hash, mask, client, unique'],
    )
    assert.equal(found.limits?.length, 2)
    assert(found.opted_out !== null)
    const { verifications } = await cli.json<Found>('privacy', 'export', '--phone', phone, '--reference', 'request 1')
    assert.deepEqual(
      verifications.map((row) => [row['client'], row['unique'], row['callback_url']]),
      [
        ['', null, `http://127.0.0.1:9/${phone}`],
        [`phone ${phone}`, `key-${phone}`, null],
        [`phone ${phone}`, `key-${phone}`, null],
      ],
    )

    // The number of the inbound call, and of the call that can be repeated.
    const sealed = await sealedNumbers(installation, phone)
    const others = await sealedNumbers(installation, other)
    const traces = () => tracesOf(installation, services, phone)
    assert.deepEqual(
      new Set(await traces()),
      new Set(['callback', 'digest of unique', 'hash', 'hash of limits', 'opt-out', 'person']),
    )
    assert(sealed.length === 2 && sealed.every(isInNatsFiles), 'the sealed numbers are not in the files of NATS')

    const erased = await cli.json<Erased>(
      'privacy',
      'erase',
      '--phone',
      phone,
      '--with-opt-out',
      '--reference',
      'request 2',
    )
    assert.deepEqual(erased, { phone: mask(phone), verifications: 3, in_progress: 0, limits: true, opt_out: true })
    assert.deepEqual(await traces(), [])
    assert.deepEqual(await sealedNumbers(installation, phone), [])
    assert.deepEqual(sealed.map(isInNatsFiles), [false, false])
    assert(others.length === 2 && others.every(isInNatsFiles), 'another person was erased, too')

    const again = await cli.json<Found>('privacy', 'find', '--phone', phone)
    assert.deepEqual([again.verifications, again.limits, again.opted_out], [[], null, null])
    assert.match((await cli.run('privacy', 'find', '--phone', phone)).out, /^No verification has this number\.$/m)
    const nothing = { verifications: 0, in_progress: 0, limits: false, opt_out: false }
    assert.deepEqual(await cli.json('privacy', 'erase', '--phone', phone), { phone: mask(phone), ...nothing })

    await assertRestUnchanged(peopleOver[shards], ids, other)
    await assertLogged(installation, phone)
  })
}

test('the number that a verification of /v2 calls is erased from NATS once it is over', async () => {
  const { cli, base, installation, services } = peopleOver[1]
  const [{ bearer: headers }] = services
  const phone = freshNumber('180') as PhoneNumber
  const post = (path: string, body: object) =>
    ask(`${base}/v2/verifications${path}`, { method: 'POST', headers, body }).then(({ json }) => json)
  const { id } = (await post('', { phone, channels: ['flash'] }))['verification'] as { readonly id: string }
  const calls = async () => (await ask(`${base}/v2/verifications/${id}`, { headers })).json['calls'] as Row[]
  await poll('the call to end', calls, ([call]) => call?.['status'] === 'reached')
  const sealed = await sealedNumbers(installation, phone)
  assert.equal(sealed.length, 1)
  const erase = () => cli.json<Erased>('privacy', 'erase', '--phone', phone)
  const early = await erase()
  assert.deepEqual([early.verifications, early.in_progress], [0, 1], 'it is pending')
  await post(`/${id}/cancel`, {})
  assert.equal((await erase()).verifications, 1)
  assert.deepEqual(await sealedNumbers(installation, phone), [])
  assert.deepEqual(sealed.map(isInNatsFiles), [false])
})

test('a verification in progress is left for a second run, and an opt-out stays unless asked', async () => {
  const { cli, base, services, installation } = peopleOver[1]
  const [service] = services
  const phone = freshNumber('180') as PhoneNumber
  const callback = { phone, callback_url: `http://127.0.0.1:9/${phone}` }
  const waited = await ask(`${base}/v1.0/inboundCallWaiting`, {
    method: 'POST',
    headers: service.bearer,
    body: callback,
  })
  assert.equal(waited.status, 200, waited.text)
  await cli.json('opt-outs', 'add', '--phone', phone)
  const none = { phone: mask(phone), limits: false, opt_out: false }
  assert.deepEqual(await cli.json('privacy', 'erase', '--phone', phone), { ...none, verifications: 0, in_progress: 1 })
  assert.match(
    (await cli.run('privacy', 'erase', '--phone', phone)).out,
    /Not erased: 1 verification in progress\. Run this again/,
  )
  await settled(base, service, waited.json['vendor_id'])
  assert.deepEqual(await cli.json('privacy', 'erase', '--phone', phone), { ...none, verifications: 1, in_progress: 0 })
  const { verifications, opted_out: optedOut } = await cli.json<Found>('privacy', 'find', '--phone', phone)
  assert.deepEqual([verifications, optedOut !== null], [[], true])
  assert.deepEqual(await tracesOf(installation, services, phone), ['opt-out'])
})

test('without NATS nothing is erased while the vault may have the number', async () => {
  const { installation, start } = peopleOver[1]
  const phone = freshNumber('180') as PhoneNumber
  await start(phone)
  const dead = createCli({ ...installation.environment, RINGPROOF_NATS_URL: 'nats://127.0.0.1:1' })
  const { status, err } = await dead.run('privacy', 'erase', '--phone', phone)
  assert.equal(status, 1)
  assert.match(err, /NATS at nats:\/\/127\.0\.0\.1:1 cannot be used/)
  assert.equal((await dead.json<Found>('privacy', 'find', '--phone', phone)).verifications.length, 3)
})

type People = {
  readonly cli: Cli
  readonly base: string
  readonly installation: Installation
  // Of two accounts; over two databases, one in each.
  readonly services: readonly [TestService, TestService]
  // A call of each service to the number, and an inbound call from it whose webhook cannot be delivered.
  readonly start: (phone: PhoneNumber) => Promise<readonly number[]>
}

async function people(shards: 1 | 2): Promise<People> {
  const installation = await installPhones(0.3, shards)
  const { slots } = installation
  const own = await makeService(installation)
  const databaseOf = ({ accountId }: TestService) => slots.databaseOf(slotOfAccount(accountId))
  let other = await makeService(installation)
  while (databaseOf(other) === databaseOf(own) && slots.databases.length > 1) other = await makeService(installation)
  const cli = createCli(installation.environment)
  await cli.json('services', 'set', String(own.serviceId), '--repeats', 'on')
  const { base } = await serve(installation)
  const { call, outcomes } = await createInboundCalls(installation)
  const post = (method: string, { bearer: headers }: TestService, body: object) =>
    ask(`${base}/v1.0/${method}`, { method: 'POST', headers, body })
  const start = async (phone: PhoneNumber) => {
    const ids: number[] = []
    for (const service of [own, other]) {
      const body = { phone, client: `phone ${phone}`, unique: `key-${phone}` }
      // The second service has to wait for the cooldown of the number.
      const started = await poll(
        'the call to start',
        () => post('initCall', service, body),
        ({ status }) => status === 200,
      )
      ids.push(Number(started.json['vendor_id']))
      await settled(base, service, started.json['vendor_id'])
    }
    const waited = await post('inboundCallWaiting', own, { phone, callback_url: `http://127.0.0.1:9/${phone}` })
    await call(phone, String(waited.json['confirmation_number']))
    assert.equal(outcomes.at(-1), 'matched')
    return [...ids, Number(waited.json['vendor_id'])]
  }
  return { cli, base, installation, services: [own, other], start }
}

// The other person, the money, and the verifications themselves, without the person.
async function assertRestUnchanged(
  { cli, base, services }: People,
  ids: readonly number[],
  other: PhoneNumber,
): Promise<void> {
  assert.equal((await cli.json<Found>('privacy', 'find', '--phone', other)).verifications.length, 3)
  assert.deepEqual((await cli.json<{ faults: string[] }>('ledger', 'audit')).faults, [])
  for (const [index, id] of ids.slice(0, 2).entries()) {
    const entries = await cli.json<{ entries: Row[] }>('ledger', 'list', '--verification', String(id))
    assert.deepEqual(
      entries.entries.map(({ move }) => move),
      ['capture', 'hold'],
    )
    const info = (await ask(`${base}/v1.0/getInfo?uid=${id}`, { headers: services[index]?.bearer ?? {} })).json
    assert.deepEqual([info['call_status'], info['phone'], info['client']], [1, '***', ''])
    assert.match((await cli.run('verifications', 'show', String(id))).out, /\*\*\*/)
  }
  assert.match((await cli.run('webhooks', 'list')).out, new RegExp(`^ *${ids[2]} .*dead.*erased`, 'm'))
  assert.match((await cli.run('webhooks', 'resend', String(ids[2]))).err, /has been erased/)
  assert.match((await cli.run('secrets', 'reseal')).out, /Re-encrypted 0 values/)
}

// What a pg_dump of every database shows about the number to a reader who has all keys.
async function tracesOf(
  { environment, slots }: Installation,
  services: readonly TestService[],
  phone: PhoneNumber,
): Promise<readonly string[]> {
  const secrets = readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')
  const pgDump = await postgresProgram('pg_dump')
  const dump = slots.databases
    .map(({ options }) => {
      const url = new URL(String(options.connectionString))
      // Our own session settings, which libpq reads differently.
      url.search = ''
      return execFileSync(pgDump, ['--dbname', url.href], { maxBuffer: 2 ** 28 })
    })
    .join('\n')
  assert(dump.includes('COPY public.verifications_'), 'the dump has no verifications')
  const digests = {
    hash: services.flatMap(({ accountId }) => tenantHashes(secrets['phone-tenant'], accountId, phone)),
    'hash of limits': subscriberHashes(secrets['phone-subscriber'], phone),
    'opt-out': [lastingDigest(secrets['phone-slot'], phone)],
    'digest of unique': services.flatMap(({ serviceId }) =>
      uniqueDigests(secrets['phone-tenant'], serviceId, `key-${phone}`),
    ),
  }
  const named = Object.entries(digests).flatMap(([name, all]) =>
    all.some((digest) => dump.includes(digest.toString('hex'))) ? [name] : [],
  )
  // Every sealed text of the dump, decrypted with every key it may have.
  const shown = [phone, mask(phone)]
  const sealed = [...dump.matchAll(/\\\\x(01[0-9a-f]{60,})/g)].map(([, hex = '']) => Buffer.from(hex, 'hex'))
  const decrypted = (['person', 'callback'] as const).filter((purpose) =>
    sealed.some((bytes) =>
      services.some(({ serviceId }) => {
        const text = textOf(() => unseal(secrets['seal-records'], purpose, serviceId, bytes))
        return shown.some((digits) => text.includes(digits))
      }),
    ),
  )
  const clear = dump.includes(phone) ? ['in clear'] : []
  return [...named, ...decrypted, ...clear].toSorted()
}

function textOf(decrypt: () => string): string {
  try {
    return decrypt()
  } catch {
    return ''
  }
}

// The entries of NATS that decrypt to the number, as they are on its disk.
async function sealedNumbers({ environment }: Installation, phone: PhoneNumber): Promise<readonly Buffer[]> {
  const { 'seal-numbers': keys } = readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')
  const { host, username, password } = new URL(String(environment['RINGPROOF_NATS_URL']))
  const connection = await connect({ servers: host, user: username, pass: password })
  try {
    const { streams } = await jetstreamManager(connection)
    const found: Buffer[] = []
    for (const bucket of ['vault', 'repeats', 'verifications']) {
      const stream = `KV_${String(environment['RINGPROOF_NATS_PREFIX'])}-${bucket}`
      const { state } = await streams.info(stream, { subjects_filter: '>' })
      for (const subject of Object.keys(state.subjects ?? {})) {
        const entry = await streams.getMessage(stream, { last_by_subj: subject })
        const bytes = Buffer.from(entry?.data ?? [])
        const name = subject.slice(subject.lastIndexOf('.') + 1)
        if (textOf(() => unseal(keys, `vault:${name}`, 0, bytes)) === phone) found.push(bytes)
      }
    }
    return found
  } finally {
    await connection.close()
  }
}

function isInNatsFiles(bytes: Buffer): boolean {
  const files = readdirSync(natsFiles, { recursive: true, withFileTypes: true })
  return files.some((file) => file.isFile() && contentOf(join(file.parentPath, file.name)).includes(bytes))
}

// Files of a running server come and go.
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

// Each database logs what was erased in it; the number, its mask and its hashes are not in the log.
async function assertLogged({ slots, environment }: Installation, phone: PhoneNumber): Promise<void> {
  const logs = await Promise.all(
    slots.databases.map((database) =>
      database.query<{ action: string; line: string }>(
        `SELECT action, details::text AS line FROM action_log WHERE action LIKE 'personal data %' ORDER BY id`,
      ),
    ),
  )
  const lines = logs.flatMap(({ rows }) => rows)
  assert.equal(lines.filter(({ action }) => action === 'personal data exported').length, 1)
  assert(lines.filter(({ line }) => line.includes('"reference": "request 2"')).length >= slots.databases.length)
  const secrets = readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')
  const digest = lastingDigest(secrets['phone-slot'], phone).toString('hex').slice(0, 8)
  for (const { line } of lines) {
    assert(![phone, mask(phone), phone.slice(-7), digest].some((trace) => line.includes(trace)), line)
  }
}
