import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { browserSeconds, knownBrowser, rememberBrowser } from '../../server/src/actions/people/sign-in.ts'
import type { SlotMap } from '../../server/src/db/core/slot-map.ts'
import type { User, UserId } from '../../server/src/db/people/user.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'

const users = new Map<number, User>()
let now = 1_800_000_000
const globalDatabase = { query: async (_: string, [id]: [number]) => ({ rows: [users.get(id)] }) }
const deps = {
  recordKeys: keyRing([1, freshKey()]),
  nowSeconds: () => now,
  randomBytes,
  slots: { globalDatabase } as unknown as SlotMap,
}

function person(id: number): User {
  const user = { id: id as UserId, passwordHash: `hash ${id}`, browserGeneration: 0 } as User
  users.set(id, user)
  return user
}

test('a browser is known to the person who signed in with it, under one ID, for half a year', async () => {
  const [anna, boris] = [person(1), person(2)]
  const cookie = await rememberBrowser(deps, anna.id, undefined)
  const id = knownBrowser(deps, anna, cookie)
  assert.match(id ?? '', /^[\w-]{16}$/)
  assert.equal(knownBrowser(deps, boris, cookie), undefined)
  const again = await rememberBrowser(deps, anna.id, cookie)
  assert.notEqual(again, cookie)
  assert.equal(knownBrowser(deps, anna, again), id)
  assert.notEqual(knownBrowser(deps, anna, await rememberBrowser(deps, anna.id, undefined)), id)
  now += browserSeconds
  assert.equal(knownBrowser(deps, anna, again), undefined)
})

test('a new password and signing out everywhere make it unknown', async () => {
  const anna = person(1)
  const cookie = await rememberBrowser(deps, anna.id, undefined)
  assert.equal(knownBrowser(deps, { ...anna, passwordHash: 'new' }, cookie), undefined)
  assert.equal(knownBrowser(deps, { ...anna, browserGeneration: 1 }, cookie), undefined)
})

test('three persons share a browser, and the last ones stay', async () => {
  let cookie: string | undefined
  for (const id of [1, 2, 3, 4]) cookie = await rememberBrowser(deps, person(id).id, cookie)
  const isKnown = () => [1, 2, 3, 4].map((id) => knownBrowser(deps, users.get(id) as User, cookie) !== undefined)
  assert.deepEqual(isKnown(), [false, true, true, true])
  cookie = await rememberBrowser(deps, 3 as UserId, cookie)
  assert.deepEqual(isKnown(), [false, true, true, true])
})

test('nothing else is a known browser', async () => {
  const anna = person(1)
  const cookie = await rememberBrowser(deps, anna.id, undefined)
  for (const one of [undefined, '', '.', 'x'.repeat(4_000), cookie.slice(1), `${cookie.slice(0, -4)}AAAA`])
    assert.equal(knownBrowser(deps, anna, one), undefined)
  assert.equal(knownBrowser({ ...deps, recordKeys: keyRing([1, freshKey()]) }, anna, cookie), undefined)
})
