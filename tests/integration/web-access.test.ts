// Every endpoint of the internal API, called by every kind of visitor: a table generated from the contract. Anyone who may not call it
// is refused by the gate; anyone who may gets past it. A new endpoint is in the table by being in the contract.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  memberRights,
  memberRoles,
  type OperatorRole,
  operatorRights,
  operatorRoles,
  readers,
} from '@ringproof/contract/web/access.ts'
import { type EndpointName, webApi } from '@ringproof/contract/web/api.ts'
import type { Endpoint } from '@ringproof/contract/web/endpoint.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { addTotp, joinAs, operatorAs, password, signUp } from '../support/web/people.ts'
import { type BrowserVisitor, createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install()
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings, '--roles', 'api,web')
const site = { base, mailDir }
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })

type Table = Readonly<Record<string, Endpoint>>
type Kind = string

// What the gate refuses with; undefined: it lets the visitor pass.
function expectedRefusal({ access }: Endpoint, kind: Kind): string | undefined {
  const isSignedIn = kind !== 'nobody' && kind !== 'second step'
  switch (access.kind) {
    case 'anyone':
      return undefined
    case 'password':
      return kind === 'second step' ? undefined : 'not-signed-in'
    case 'user':
      return isSignedIn ? undefined : 'not-signed-in'
    case 'member':
      if (!isSignedIn) return 'not-signed-in'
      return memberRights(kind.replace('member ', '')).includes(access.right) ? undefined : 'forbidden'
    case 'operator':
      if (!isSignedIn) return 'not-signed-in'
      if (kind === 'operator without a factor') return 'add-factor'
      return operatorRights(kind.replace('operator ', '')).includes(access.right) ? undefined : 'forbidden'
  }
}

const visitors = new Map<Kind, BrowserVisitor>()
const owner = await signUp(site)
visitors.set('nobody', createVisitor(base))
for (const role of memberRoles) {
  visitors.set(`member ${role}`, role === 'owner' ? owner.visitor : (await joinAs(site, owner.visitor, role)).visitor)
}
for (const role of operatorRoles) visitors.set(`operator ${role}`, await operatorAs(base, cli, role))
visitors.set('operator without a factor', await operatorAs(base, cli, 'admin', false))
const halfway = await signUp(site)
await addTotp(halfway.visitor)
const secondStep = createVisitor(base)
await secondStep.call('sign-in', { email: halfway.email, password })
visitors.set('second step', secondStep)

// A field that no input has: anyone who passes the gate is stopped by the schema, and nothing changes.
const noInput = { 'no such field': 1 }

async function gateOf(name: EndpointName, visitor: BrowserVisitor): Promise<string | undefined> {
  const { cookie } = visitor
  const { body } = await visitor.send(name, noInput)
  visitor.cookie = cookie
  const { error } = body as { error?: string }
  assert.notEqual(error, 'throttled')
  return error !== undefined && ['not-signed-in', 'forbidden', 'add-factor'].includes(error) ? error : undefined
}

async function differences(table: Table): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, endpoint] of Object.entries(table)) {
    for (const [kind, visitor] of visitors) {
      const expected = expectedRefusal(endpoint, kind)
      const actual = await gateOf(name as EndpointName, visitor)
      if (actual !== expected)
        found.push(`${name} as ${kind}: ${actual ?? 'passed'}, expected ${expected ?? 'to pass'}`)
    }
  }
  return found
}

test('every endpoint lets exactly its roles pass', async () => {
  assert.deepEqual(await differences(webApi), [])
})

test('the table finds an endpoint that lets too many pass', async () => {
  const mutated = { 'invite-member': { ...webApi['invite-member'], access: readers } }
  const expected = ['developer', 'accountant', 'viewer'].map(
    (role) => `invite-member as member ${role}: forbidden, expected to pass`,
  )
  assert.deepEqual(await differences(mutated), expected)
})

test('an operator who may only look can change nothing of the installation, and support moves no money', () => {
  const changes = Object.entries(webApi).filter(([, { verb, access }]) => verb === 'POST' && access.kind === 'operator')
  assert.ok(changes.length > 10)
  const openTo = (role: OperatorRole) =>
    changes
      .filter(([, { access }]) => access.kind === 'operator' && operatorRights(role).includes(access.right))
      .map(([name]) => name)
  // They only ask, with a phone number, which must not stand in an address.
  assert.deepEqual(openTo('viewer'), ['find-calls', 'explain-route', 'look-up-range'])
  const support = openTo('support')
  assert.ok(support.includes('block-customer'))
  for (const name of ['move-money', 'set-customer-tariff', 'set-seller', 'set-payment-page']) {
    assert.ok(changes.some(([known]) => known === name) && !support.includes(name), name)
  }
})

test('a guarded change needs a factor shown within ten minutes; showing the password opens it again', async () => {
  const { visitor } = await signUp(site)
  await installation.slots.globalDatabase.query(
    `UPDATE web_sessions SET confirmed_at = clock_timestamp() - interval '11 minutes'
     WHERE user_id = (SELECT max(id) FROM users)`,
  )
  const guarded = Object.entries(webApi).filter(([, { isGuarded, access }]) => isGuarded && access.kind !== 'operator')
  assert.ok(guarded.length > 10)
  for (const [name] of guarded) {
    const { body } = await visitor.send(name as EndpointName, noInput)
    assert.deepEqual(body, { error: 'confirm-person' }, name)
  }
  assert.equal((await visitor.refused('confirm-person', { kind: 'password', code: 'wrong' })).body.error, 'wrong-code')
  await visitor.call('confirm-person', { kind: 'password', code: password })
  await visitor.call('start-totp')
})

test('every change from another site is refused', async () => {
  const changes = Object.entries(webApi).filter(([, { verb }]) => verb === 'POST')
  assert.ok(changes.length > 40)
  for (const [name] of changes) {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.org' },
      { 'sec-fetch-site': 'none' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'text/plain' },
    ]) {
      const { status, body } = await owner.visitor.send(name as EndpointName, noInput, headers)
      assert.deepEqual([status, body], [403, { error: 'foreign-origin' }], `${name} with ${JSON.stringify(headers)}`)
    }
  }
})

test('no change is possible with GET, and no read with POST', async () => {
  for (const [name, { verb }] of Object.entries(webApi)) {
    const method = verb === 'GET' ? 'POST' : 'GET'
    const headers = { cookie: owner.visitor.cookie, 'sec-fetch-site': 'same-origin' }
    const { status } = await fetch(`${base}/web/${name}`, { method, headers })
    assert.equal(status, 404, `${method} ${name}`)
  }
})

test('an owner cannot reach the service of another account', async () => {
  const { serviceId } = await owner.visitor.call('create-service', {
    name: 'Mine',
    isTest: false,
    isMovingFromUcaller: false,
  })
  const stranger = await signUp(site)
  for (const [name, input] of [
    ['rename-service', { serviceId, name: 'Stolen' }],
    ['set-service-state', { serviceId, state: 'archived' }],
    ['rotate-service-key', { serviceId, name: 'default', overlapHours: 0 }],
    ['revoke-service-key', { serviceId, name: 'default' }],
    ['run-here', { serviceId, method: 'initCall', phone: '79000000001', mode: 'flash' }],
  ] as const) {
    const { status, body } = await stranger.visitor.send(name, input)
    assert.deepEqual([status, body], [404, { error: 'not-found' }], name)
  }
  const { services } = await owner.visitor.call('services')
  assert.deepEqual(
    services.map(({ name, state }) => [name, state]),
    [['Mine', 'on']],
  )
})

test('a removed member is refused with the next request; the last owner cannot go', async () => {
  const { visitor, email } = await joinAs(site, owner.visitor, 'developer')
  const { members } = await owner.visitor.call('members')
  const userId = members.find((member) => member.email === email)?.userId ?? 0
  await owner.visitor.call('remove-member', { userId })
  assert.equal((await visitor.refused('services')).status, 403)
  const ownId = members.find(({ role }) => role === 'owner')?.userId ?? 0
  assert.equal((await owner.visitor.refused('set-member', { userId: ownId, role: 'viewer' })).body.error, 'invalid')
})

test('a browser at the bare address is led to the dashboard, a program still needs its key', async () => {
  const browser = await fetch(base, { headers: { accept: 'text/html,*/*' }, redirect: 'manual' })
  assert.deepEqual([browser.status, browser.headers.get('location')], [302, '/dashboard'])
  assert.equal((await fetch(base)).status, 401)
})

test('no search engine is to list a page, with or without a session', async () => {
  for (const path of ['/dashboard/sign-in', '/console/system'])
    assert.equal((await fetch(`${base}${path}`)).headers.get('x-robots-tag'), 'noindex', path)
})
