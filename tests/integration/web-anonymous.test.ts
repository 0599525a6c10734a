// What somebody without a session can make the installation keep, and passkeys, whose challenges it does not keep.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointName, webApi } from '@ringproof/contract/web/api.ts'
import { deleteExpired } from '../../server/src/db/people/web-session.ts'
import { customerLimits } from '../../server/src/domain/people/session.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { password, signIn, signUp } from '../support/web/people.ts'
import { createSoftPasskey } from '../support/web/soft-passkey.ts'
import { type BrowserVisitor, createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install()
const { globalDatabase } = installation.slots
const { base } = await serve(
  installation,
  { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' },
  '--roles',
  'api,web',
)
const site = { base, mailDir }

const email = 'stranger@example.net'
const token = 'x'.repeat(43)
const form = { password, accountName: 'My shop', language: 'en', acceptsTerms: true, timeZone: 'UTC' }
const inputs: Readonly<Record<string, unknown>> = {
  me: {},
  'sign-up': { ...form, email },
  'confirm-email': { token, password },
  'sign-in': { email, password },
  'sign-out': {},
  'forgot-password': { email, language: 'en' },
  'reset-password': { token, password },
  'accept-invitation': { token, password, name: '', language: 'en' },
  'read-invitation': { token },
  'passkey-sign-in-options': {},
  'passkey-sign-in': { response: createSoftPasskey().assert(base, 'AAAA') },
  'current-announcements': {},
}

test('of a stranger who goes on asking no row is kept beyond the first five messages', async () => {
  const names = Object.entries(webApi).flatMap(([name, { access }]) => (access.kind === 'anyone' ? [name] : []))
  const send = async (times: number) => {
    for (const name of names) {
      assert.ok(name in inputs, `no input for ${name}`)
      for (let n = 0; n < times; n++) {
        const { status } = await createVisitor(base).send(name as EndpointName, inputs[name])
        assert.ok(status !== 400 && status !== 503, `${name}: ${status}`)
      }
    }
  }
  await send(6)
  const before = await countRows()
  // Three counters: messages, links for a new password, guesses. As many links as messages.
  assert.deepEqual([before.get('sign_in_failures'), before.get('one_time_links')], [3, 10])
  await send(10)
  assert.deepEqual(await countRows(), before)
})

test('counts of a few failures are deleted after two days, others after thirty', async () => {
  await globalDatabase.query('DELETE FROM sign_in_failures')
  for (const [name, total, days] of [
    ['few, new', 4, 1],
    ['few, old', 4, 3],
    ['many, new', 5, 29],
    ['many, old', 99, 31],
  ] as const) {
    await globalDatabase.query(
      `INSERT INTO sign_in_failures (digest, total, failed_at)
       VALUES ($1, $2, clock_timestamp() - make_interval(days => $3))`,
      [Buffer.from(name), total, days],
    )
  }
  await deleteExpired(globalDatabase, customerLimits)
  const { rows } = await globalDatabase.query<{ digest: Buffer }>('SELECT digest FROM sign_in_failures ORDER BY total')
  assert.deepEqual(
    rows.map(({ digest }) => digest.toString()),
    ['few, new', 'many, new'],
  )
})

test('a passkey signs in with a challenge once: not again, and not twice at the same time', async () => {
  const { passkey, owner } = await passkeyOf()
  for (const times of [1, 8]) {
    const response = passkey.assert(base, await challengeOf(createVisitor(base), 'passkey-sign-in-options'))
    const send = () => createVisitor(base).send('passkey-sign-in', { response })
    const statuses = (await Promise.all(Array.from({ length: times }, send))).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [200, ...Array.from({ length: times - 1 }, () => 422)],
    )
    assert.equal((await createVisitor(base).refused('passkey-sign-in', { response })).body.error, 'wrong-code')
  }
  assert.equal((await owner.visitor.call('security')).passkeys.length, 1)
})

test('a challenge is for one purpose: not for another session, and not one for the other', async () => {
  const { passkey, owner } = await passkeyOf()
  const halfway = async () => {
    const visitor = createVisitor(base)
    assert.equal((await visitor.call('sign-in', { email: owner.email, password })).stage, 'second-step')
    return visitor
  }
  const [one, other] = [await halfway(), await halfway()]
  const forOne = passkey.assert(base, await challengeOf(one, 'second-step-passkey-options'))
  const forSignIn = passkey.assert(base, await challengeOf(createVisitor(base), 'passkey-sign-in-options'))
  assert.equal((await other.refused('second-step-passkey', { response: forOne })).body.error, 'wrong-code')
  assert.equal((await one.refused('second-step-passkey', { response: forSignIn })).body.error, 'wrong-code')
  assert.equal((await createVisitor(base).refused('passkey-sign-in', { response: forOne })).body.error, 'wrong-code')
  await one.call('second-step-passkey', { response: forOne })
  assert.equal((await one.call('me')).stage, 'signed-in')
})

async function passkeyOf() {
  const owner = await signUp(site)
  const passkey = createSoftPasskey()
  const response = passkey.register(base, await challengeOf(owner.visitor, 'add-passkey-options'))
  // Prepared for one session, it is of no use in another one.
  const elsewhere = await signIn(site, owner.email)
  const add = { name: 'Laptop', response }
  assert.equal((await elsewhere.refused('add-passkey', add)).body.error, 'wrong-code')
  await owner.visitor.call('add-passkey', add)
  assert.equal((await owner.visitor.refused('add-passkey', add)).body.error, 'wrong-code')
  return { passkey, owner }
}

async function challengeOf(
  visitor: BrowserVisitor,
  name: 'passkey-sign-in-options' | 'second-step-passkey-options' | 'add-passkey-options',
): Promise<string> {
  const { options } = await visitor.call(name)
  return (options as { challenge: string }).challenge
}

async function countRows(): Promise<ReadonlyMap<string, number>> {
  const { rows: tables } = await globalDatabase.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition ORDER BY relname`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await globalDatabase.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${name}`)
    counts.set(name, rows[0]?.count ?? 0)
  }
  return counts
}
