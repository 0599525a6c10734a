// Guessing passwords, and finding out who has an account. Measures time, so nothing runs beside it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createPasswords } from '../../server/src/web/passwords.ts'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { newEmail, password, signUp } from '../support/web/people.ts'
import { createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(await install(), settings, '--roles', 'api,web')
const site = { base, mailDir }

test('a thousand guesses from a thousand addresses: at most ten are evaluated, then the right password waits too', async () => {
  const { email } = await signUp(site)
  const errors: string[] = []
  for (let batch = 0; batch < 20; batch++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        createVisitor(base).send('sign-in', { email, password: `guess ${batch} ${n}` }),
      ),
    )
    errors.push(...answers.map(({ body }) => (body as { error: string }).error))
  }
  assert.equal(errors.length, 1_000)
  const evaluated = errors.filter((error) => error === 'wrong-credentials').length
  assert.ok(evaluated >= 5 && evaluated <= 10, `${evaluated} were evaluated`)
  assert.equal(errors.filter((error) => error === 'throttled').length, 1_000 - evaluated)
  assert.equal((await createVisitor(base).refused('sign-in', { email, password })).body.error, 'throttled')
})

test('a password takes the same work for an e-mail that nobody has', async () => {
  const passwords = createPasswords(randomBytes)
  const stored = await passwords.hash(asker, password)
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let n = 0; n < 120; n++) {
    const kind = n % 2 === 0 ? 'known' : 'unknown'
    const startedMs = performance.now()
    await passwords.matches(asker, 'not the password', kind === 'known' ? stored : undefined, async () => undefined)
    times[kind].push(performance.now() - startedMs)
  }
  const [one, other] = [typical(times.known), typical(times.unknown)]
  const ratio = Math.max(one, other) / Math.min(one, other)
  assert.ok(ratio <= hashRatioMax, `known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms`)
})

const asker = { isKnown: false, key: '203.0.113.1' }
// A hash without the even time around it: the machine disturbs it more.
const hashRatioMax = 1.2

const rounds = 16
// Of the faster half of each kind: what else the machine does only makes a request slower.
const ratioMax = 1.05

for (const [name, inputFor] of [
  ['sign-in', (email: string) => ({ email, password: 'not the password at all' })],
  ['forgot-password', (email: string) => ({ email, language: 'en' })],
  [
    'sign-up',
    (email: string) => ({ email, password, accountName: 'X', language: 'en', acceptsTerms: true, timeZone: 'UTC' }),
  ],
] as const) {
  test(`${name} takes as long for a known e-mail as for an unknown one`, async () => {
    const known: string[] = []
    for (let n = 0; n < rounds / 4; n++) known.push((await signUp(site)).email)
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < rounds; round++) {
      const pair = [
        ['known', known[round % known.length] ?? ''],
        ['unknown', newEmail()],
      ] as const
      for (const [kind, email] of round % 2 === 0 ? pair : pair.toReversed()) {
        const visitor = createVisitor(base)
        const startedMs = performance.now()
        await visitor.send(name, inputFor(email))
        times[kind].push(performance.now() - startedMs)
      }
    }
    const [one, other] = [typical(times.known), typical(times.unknown)]
    const ratio = Math.max(one, other) / Math.min(one, other)
    assert.ok(ratio <= ratioMax, `known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms`)
  })
}

function typical(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0
}
