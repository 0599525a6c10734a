// After calls of every kind, every read of the dashboard, of the console and the export are asked for as every kind of member and
// operator. None of them contains a full phone number, a key or a secret, and none shows the code of a call that has just ended. The
// list of reads comes from the contract: a new one is asked for, too, or the test fails.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MemberRole, memberRights, memberRoles, operatorRoles } from '@ringproof/contract/web/access.ts'
import { type EndpointName, webApi } from '@ringproof/contract/web/api.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, operatorAs, signUp } from '../support/web/people.ts'
import type { BrowserVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.25)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const site = { base, mailDir }
const { visitor: owner } = await signUp(site)
const { account } = await owner.call('me')
const accountId = account?.id as AccountId
const database = installation.slots.databaseOf(slotOfAccount(accountId))
await credit(database, accountId, 100_000_000 as MicroAmount)
await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
const shop = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
const { serviceId, key } = await owner.call('create-service', shop)
const { secret } = await owner.call('rotate-webhook-secret', { serviceId, overlapHours: 1 })
const receiver = await createReceiverToTheEnd()

// Rare enough to be no part of an ID or of a time by accident, because whole texts are compared.
const code = '7391'
const numbers = ['180', '200', '404'].map(freshNumber)
const waitedFor = freshNumber('180')
const bearer = { authorization: `Bearer ${key}.${serviceId}` }
const ids: number[] = []
for (const [index, phone] of numbers.entries()) {
  const body = { phone, code, client: 'order 7', unique: `key ${index}`, voice: index === 1 }
  const { status, json, text } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
  assert.equal(status, 200, text)
  await settled(base, { bearer }, json['vendor_id'])
  ids.push(Number(json['vendor_id']))
}
await ask(`${base}/v1.0/initCall?key=${key}&service_id=${serviceId}&phone=${numbers[0]}`)
await ask(`${base}/v1.0/checkPhone?phone=${numbers[0]}`, { headers: bearer })
await receiveCall()

const canaries: Readonly<Record<string, string>> = {
  'the key': key,
  'the webhook secret': secret,
  ...Object.fromEntries([...numbers, waitedFor].map((number, index) => [`number ${index}`, number.slice(1)])),
}

// What reads ask for. Every read that needs something is here.
const inputs: Partial<Record<EndpointName, Readonly<Record<string, string>>>> = {
  'ledger-lines': { day: new Date().toISOString().slice(0, 10) },
  'api-requests': { traffic: 'live', period: '24h' },
  'api-errors': { traffic: 'live', period: '24h' },
  'verification-messages': { verificationId: String(ids[0]) },
  'verification-request': { verificationId: String(ids[0]) },
  'service-settings': { serviceId: String(serviceId) },
  statistics: { traffic: 'live' },
  verifications: { traffic: 'live' },
  'verification-counts': { traffic: 'live' },
  webhooks: { traffic: 'live' },
  calls: { traffic: 'live' },
  'trunk-log': { name: 'first' },
  customer: { id: String(accountId) },
  'caller-use': { country: 'RU' },
  'price-preview': { tariff: 'uni', method: 'initCall', mode: 'flash', country: 'RU', price: '0.5' },
}
const reads = (Object.keys(webApi) as EndpointName[]).filter((name) => webApi[name].verb === 'GET')
// Of a test call that nobody has placed here; it is read where one is placed.
const readElsewhere: ReadonlySet<EndpointName> = new Set<EndpointName>(['trunk-test'])

for (const role of memberRoles) {
  test(`no number, key, secret or fresh code is shown to a member: ${role}`, async () => {
    const visitor = role === 'owner' ? owner : (await joinAs(site, owner, role)).visitor
    const shown = await everything(visitor, role)
    for (const [name, text] of shown) {
      assert.deepEqual(found(text), [], name)
      assert(!textsIn(text).includes(code), `${name} shows the code`)
    }
    // The calls are in there, so there was something to be found.
    const all = shown.map(([, text]) => text).join('\n')
    for (const id of ids) assert(all.includes(String(id)), String(id))
    assert(all.includes('order 7'))
  })
}

const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
for (const role of operatorRoles) {
  test(`no number, key, secret or fresh code is shown to an operator: ${role}`, async () => {
    const visitor = await operatorAs(base, cli, role)
    const shown: (readonly [string, string])[] = []
    for (const name of reads) {
      if (webApi[name].access.kind === 'operator' && !readElsewhere.has(name)) {
        shown.push(...(await read(visitor, name)))
      }
    }
    for (const [name, text] of shown) {
      assert.deepEqual(found(text), [], name)
      assert(!textsIn(text).includes(code), `${name} shows the code`)
    }
    const all = shown.map(([, text]) => text).join('\n')
    for (const id of ids) assert(all.includes(String(id)), String(id))
  })
}

test('what is looked for is found when it is there', () => {
  for (const canary of Object.values(canaries)) {
    assert.equal(found(JSON.stringify({ a: `x${canary}` })).length, 1)
    assert.equal(found(`1;${canary}\n`).length, 1)
  }
  const [number = ''] = numbers
  const spelled = `+7 (${number.slice(1, 4)}) ${number.slice(4, 7)}-${number.slice(7, 9)}-${number.slice(9)}`
  assert.equal(found(JSON.stringify({ phone: spelled })).length, 1)
  assert(textsIn(`{"a":[{"code":"${code}"}]}`).includes(code))
  assert(textsIn(`id;code\r\n12;${code}\r\n`).includes(code))
})

async function everything(visitor: BrowserVisitor, role: MemberRole): Promise<readonly (readonly [string, string])[]> {
  const shown: (readonly [string, string])[] = []
  for (const name of reads) {
    const { access } = webApi[name]
    if (access.kind === 'operator' || (access.kind === 'member' && !memberRights(role).includes(access.right))) continue
    shown.push(...(await read(visitor, name)))
  }
  const headers = { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' }
  const csv = await fetch(`${base}/web/verifications.csv?traffic=live`, { headers })
  assert.equal(csv.status, 200)
  shown.push(['verifications.csv', await csv.text()])
  return shown
}

async function read(visitor: BrowserVisitor, name: EndpointName): Promise<readonly (readonly [string, string])[]> {
  const shown: (readonly [string, string])[] = []
  for (const input of await inputsOf(visitor, name)) {
    const { status, body } = await visitor.send(name, input)
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
    shown.push([`${name} ${JSON.stringify(input)}`, JSON.stringify(body)])
  }
  return shown
}

async function inputsOf(visitor: BrowserVisitor, name: EndpointName): Promise<readonly Record<string, string>[]> {
  if (name === 'verification' || name === 'call') return ids.map((id) => ({ id: String(id) }))
  if (name === 'api-request') {
    const { requests } = await visitor.call('api-requests', { traffic: 'live', period: '24h' })
    assert(requests.length > 0)
    return requests.map(({ id }) => ({ id }))
  }
  return [inputs[name] ?? {}]
}

// Digits in any spelling: without what people put between them.
function found(text: string): readonly string[] {
  const bare = text.replaceAll(/(?<=\d)[\s()+-]+(?=\d)|[()]/g, '')
  return Object.entries(canaries)
    .filter(([, canary]) => text.includes(canary) || bare.includes(canary))
    .map(([name]) => name)
}

// Every text of a JSON document, or every cell of a CSV.
function textsIn(document: string): readonly string[] {
  if (!document.startsWith('{')) return document.split(/[;,\r\n]+/).map((cell) => cell.replaceAll('"', ''))
  const texts: string[] = []
  JSON.parse(document, (_, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') texts.push(String(value))
    return value
  })
  return texts
}

// An inbound verification whose webhook was delivered.
async function receiveCall(): Promise<void> {
  const body = { phone: waitedFor, callback_url: receiver.url }
  const { json, text } = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: bearer, body })
  const number = String(json['confirmation_number'])
  assert.equal(number.length, 11, text)
  const { call } = await createInboundCalls(installation)
  await call(waitedFor, number)
  ids.push(Number(json['vendor_id']))
}
