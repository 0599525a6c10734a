// The check of the crash test on small made-up histories: a correct one, and for each invariant some with one
// violation.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Invariant, invariants, violationsOf } from '../crash/check.ts'
import type { ClientLine, Histories, RecordLine } from '../crash/histories.ts'
import { type Mutation, mutated, mutationNames, mutations } from '../crash/mutations.ts'
import { planRun } from '../crash/plan.ts'
import { hasCode, hasOrder, numbersIn } from '../crash/scan.ts'

const t = 1_000_000
const [red, green] = [65, 66]
const price = 400_000

// A flash call that succeeded, one refused by its carrier, a matched inbound request; and a call and an inbound request
// after the last fault.
const good: Histories = {
  settings: { seed: 1, timeScale: 0.2, databases: 2, funded: { [red]: 10_000_000, [green]: 10_000_000 } },
  client: [
    asked({ n: 1, phone: '79070001180', unique: 'a', response: { status: 200, vendorId: 101, exists: false } }),
    asked({ n: 1, phone: '79070001180', unique: 'a', response: { status: 200, vendorId: 101, exists: true } }),
    asked({ n: 2, phone: '79070002404', response: { status: 200, vendorId: 102 } }),
    asked({ n: 3, phone: '79070003180', method: 'inboundCallWaiting', response: { status: 200, vendorId: 103 } }),
    asked({ n: 4, phone: '79070004180', unique: 'b', response: { status: 402, code: 1002 } }),
    asked({ n: 5, kind: 'foreign', method: 'getInfo', serviceId: green, response: { status: 404, code: 10 } }),
    polled(1, { vendorId: 101, callStatus: 1, cost: 0.4 }),
    polled(2, { vendorId: 102, callStatus: 0, cost: 0 }),
    asked({ n: 6, kind: 'after', phone: '79070006180', response: { status: 200, vendorId: 104 } }),
    { ...polled(6, { vendorId: 104, callStatus: 1, cost: 0.4 }), kind: 'after' },
    asked({
      n: 7,
      kind: 'after',
      phone: '79070007180',
      method: 'inboundCallWaiting',
      response: { status: 200, vendorId: 105 },
    }),
    { ...polled(7, { vendorId: 105, callStatus: 1, cost: 0.4 }), kind: 'after' },
  ],
  carrier: [
    dialog('79070001180', 'INVITE'),
    dialog('79070001180', '180'),
    dialog('79070002404', 'INVITE'),
    dialog('79070002404', '404'),
    { type: 'call-in', atMs: t, phone: '79070003180', called: '70000100001', statuses: [100, 180, 486] },
    dialog('79070006180', 'INVITE'),
    dialog('79070006180', '180'),
    { type: 'call-in', atMs: t, phone: '79070007180', called: '70000100001', statuses: [100, 180, 486] },
  ],
  receiver: [received(103, '79070003180'), received(105, '79070007180')],
  record: [
    { type: 'account', id: red, balance: 10_000_000 - 4 * price, held: 0 },
    { type: 'account', id: green, balance: 10_000_000, held: 0 },
    { type: 'service', id: red, accountId: red, calls10Minutes: 4, callsDay: 10 },
    { type: 'service', id: green, accountId: green, calls10Minutes: 4, callsDay: 10 },
    { type: 'entry', id: 1, sequence: 1, accountId: red, from: 'external', to: 'available', amount: 10_000_000 },
    { type: 'entry', id: 2, sequence: 1, accountId: green, from: 'external', to: 'available', amount: 10_000_000 },
    ...verified(101, '79070001180', 'succeeded', { unique: 'a' }),
    ...verified(102, '79070002404', 'failed', { reason: 'refused' }),
    ...verified(103, '79070003180', 'succeeded', { mode: 'inbound', attempt: 0 }),
    ...verified(104, '79070006180', 'succeeded'),
    ...verified(105, '79070007180', 'succeeded', { mode: 'inbound', attempt: 0 }),
    { type: 'key', serviceId: red, digest: 'aa', id: 101 },
    { type: 'change', id: 101, from: 'accepted', to: 'dialling', atMs: t },
    { type: 'change', id: 101, from: 'dialling', to: 'succeeded', atMs: t },
    { type: 'webhook', id: 103, state: 'delivered', attempts: 1 },
    { type: 'webhook', id: 105, state: 'delivered', attempts: 1 },
  ],
  faults: [{ act: 'kill', victim: 'api-0', atMs: t, backAtMs: t + 500 }],
  scan: [
    { place: 'postgres', what: 'control', where: 'base/1' },
    { place: 'jetstream', what: 'control', where: 'store/1' },
    { place: 'logs', what: 'control', where: 'control.log' },
  ],
}

const broken: readonly (readonly [Invariant, string, Partial<Histories>])[] = [
  ['1 calls end, once and in time', 'a call never ends', changed(101, { state: 'dialling' })],
  ['1 calls end, once and in time', 'a call ends late', changed(101, { endedAtMs: t + 16_000 })],
  [
    '1 calls end, once and in time',
    'a final state changes',
    record({ type: 'change', id: 102, from: 'failed', to: 'succeeded', atMs: t }),
  ],
  [
    '1 calls end, once and in time',
    'a client got another result',
    client(polled(1, { vendorId: 101, callStatus: 0, cost: 0 })),
  ],
  [
    '1 calls end, once and in time',
    'a returned call is lost',
    client(asked({ n: 9, phone: '79070009180', response: { status: 200, vendorId: 999 } })),
  ],
  [
    '2 one key, one call, one charge',
    'a key has two calls',
    client(asked({ n: 1, phone: '79070001180', unique: 'a', response: { status: 200, vendorId: 102 } })),
  ],
  ['2 one key, one call, one charge', 'a phone rings twice', carrier(dialog('79070001180', 'INVITE', 'other'))],
  ['2 one key, one call, one charge', 'a call is charged twice', account(red, { balance: 10_000_000 - 5 * price })],
  ['3 ledger balance', 'money stays held', account(red, { held: price })],
  ['3 ledger balance', 'an entry is missing', without((line) => line.type === 'entry' && line.id === 101)],
  [
    '3 ledger balance',
    'an entry belongs to no verification',
    record({ type: 'entry', id: 77, sequence: 1, accountId: green, from: 'available', to: 'revenue', amount: 1 }),
  ],
  [
    '4 nothing for nothing',
    'a release is lost',
    without((line) => line.type === 'entry' && line.id === 102 && line.sequence === 2),
  ],
  [
    '4 nothing for nothing',
    'a call is dialled after its end',
    carrier({ ...dialog('79070002404', 'INVITE', 'late'), atMs: t + 8_000 }),
  ],
  ['4 nothing for nothing', 'a call succeeded without ringing', changed(102, { state: 'succeeded' })],
  [
    '4 nothing for nothing',
    'a failed call is reported with a cost',
    client(polled(2, { vendorId: 102, callStatus: 0, cost: 0.4 })),
  ],
  ['4 nothing for nothing', 'a refused call is dialled', record(...verified(106, '79070004180', 'failed'))],
  [
    '4 nothing for nothing',
    'an inbound request is started that was not asked for',
    record(
      ...verified(106, '79070004180', 'failed').map((line) =>
        line.type === 'verification' ? { ...line, mode: 'inbound' as const, reason: 'not-called', attempt: 0 } : line,
      ),
    ),
  ],
  ['5 no number in clear at rest', 'a number', scan({ place: 'postgres', what: 'number', where: 'base/2' })],
  ['5 no number in clear at rest', 'an order on the bus', scan({ place: 'bus', what: 'code', where: 'an order' })],
  ['5 no number in clear at rest', 'an order on disk', scan({ place: 'jetstream', what: 'code', where: '1.blk' })],
  ['5 no number in clear at rest', 'a blind search', { scan: good.scan.filter(({ place }) => place !== 'jetstream') }],
  ['6 no code, key or number in a log', 'a code', scan({ place: 'logs', what: 'code', where: 'api-0.1.log' })],
  ['6 no code, key or number in a log', 'a blind search', { scan: good.scan.filter(({ place }) => place !== 'logs') }],
  ['7 webhooks arrive or are dead', 'a delivered webhook was not received', { receiver: good.receiver.slice(1) }],
  [
    '7 webhooks arrive or are dead',
    'a webhook under another ID',
    { receiver: [...good.receiver, { ...received(103, '79070003180'), webhookId: 'x' }] },
  ],
  ['7 webhooks arrive or are dead', 'a webhook is still due', webhook({ state: 'due' })],
  [
    '7 webhooks arrive or are dead',
    'a webhook without a call',
    { receiver: [...good.receiver, received(101, '79070001180')] },
  ],
  [
    '8 tenants are apart',
    'a foreign service reads it',
    client({ ...polled(5, { vendorId: 101, callStatus: 1, cost: 0.4 }), kind: 'foreign', serviceId: green }),
  ],
  [
    '8 tenants are apart',
    'a foreign service learns that it exists',
    client(asked({ n: 5, kind: 'foreign', method: 'getInfo', serviceId: green, response: { status: 403, code: 4 } })),
  ],
  [
    '9 limits of a number hold',
    'a call within the cooldown',
    record(...verified(107, '79070001180', 'failed', { evaluatedAtMs: t + 2_900 })),
  ],
  [
    '9 limits of a number hold',
    'more calls than the limit',
    record(
      ...[1, 2, 3, 4].flatMap((n) => verified(110 + n, '79070001180', 'failed', { evaluatedAtMs: t + n * 20_000 })),
    ),
  ],
  [
    '9 limits of a number hold',
    'a dialled call is not counted',
    without((line) => line.type === 'counted' && line.token === 101),
  ],
  [
    'it comes back by itself',
    'the last call is refused',
    client(asked({ n: 8, kind: 'after', phone: '79070008180', response: { status: 503, code: 5 } })),
  ],
  [
    'it comes back by itself',
    'no request after the last fault',
    { client: good.client.filter(({ kind }) => kind !== 'after') },
  ],
]

test('a correct history has no violations', () => {
  assert.deepEqual(violationsOf(good), [])
})

for (const [invariant, what, change] of broken) {
  test(`${invariant}: ${what}`, () => {
    const found = violationsOf({ ...good, ...change }).map((violation) => violation.invariant)
    assert(found.includes(invariant), `only these were broken: ${found.join(', ')}`)
  })
}

test('every invariant has a history that breaks it', () => {
  assert.deepEqual(
    Object.keys(invariants).filter((invariant) => !broken.some(([name]) => name === invariant)),
    [],
  )
})

test('an outage of the database of a call extends its deadline, and nothing else does', () => {
  const late = changed(101, { endedAtMs: t + 20_000 })
  const away = (victim: string, backAtMs: number) => ({
    ...good,
    ...late,
    faults: [{ act: 'stop', victim, atMs: t + 1_000, backAtMs }],
  })
  assert.deepEqual(violationsOf(away('postgres-0', t + 6_000)), [])
  for (const victim of ['postgres-1', 'keeper-0', 'machine', 'calls-0']) {
    assert.equal(violationsOf(away(victim, t + 7_000)).length, 1, victim)
  }
})

test('a seed always plans the same run, and another seed another run', () => {
  assert.deepEqual(planRun(5, 20), planRun(5, 20))
  assert.notDeepEqual(planRun(5, 20), planRun(6, 20))
  for (const seed of [1, 2, 3]) {
    const { faults, requests } = planRun(seed, 20)
    assert.equal(faults.filter(({ act }) => act !== 'pause').length, 20)
    assert.equal(new Set(requests.map(({ kind }) => kind)).size, 11)
    const frozenMs = faults
      .filter(({ victim }) => /^keeper-\d$/.test(victim))
      .map(({ act, holdMs }) => act === 'pause' && holdMs)
    assert(Math.max(...frozenMs.map(Number)) > 60_000 * planRun(seed, 20).timeScale, 'a keeper is frozen for long')
    const all = [...requests, ...faults.flatMap(({ volley }) => volley)]
    assert.equal(new Set(all.map(({ n }) => n)).size, all.length)
  }
})

test('the search finds a number in every encoding, and no other number', () => {
  const number = '79070001180'
  const plain = Buffer.from(number)
  const spellings = [
    plain,
    Buffer.from(number, 'utf16le'),
    Buffer.from(plain.toString('hex')),
    ...['', 'x', 'xx'].map((pad) => Buffer.from(Buffer.from(`${pad}${number} and more`).toString('base64'))),
  ]
  for (const [index, spelling] of spellings.entries()) {
    const content = Buffer.concat([Buffer.from('before '), spelling, Buffer.from(' after')])
    assert.deepEqual([...numbersIn(content, new Set([number]))], [number], `spelling ${index}`)
    assert.deepEqual([...numbersIn(content, new Set(['79070001181']))], [], `spelling ${index}`)
  }
})

test('a code is found in the log line of its verification; a time or an error code is not a code', () => {
  const codes = new Map([['101', '2026']])
  const line = (more: string) => `{"time":"2026-11-15T07:00:00.000Z","vendor_id":101,${more}}`
  assert.equal(hasCode(line('"attempt":1'), codes), false)
  assert.equal(hasCode(line('"spoken":"2026"'), codes), true)
  assert.equal(hasCode(line('"post_dial_ms":2026,"ring_ms":2026'), codes), false)
  assert.equal(hasCode(line('"post_dial_ms":2026,"spoken":2026'), codes), true)
  assert.equal(hasCode('{"code":1002}', codes), false)
  assert.equal(hasCode('{"code":"1002"}', codes), true)
})

test('an unsealed order is found in a NATS message, also in base64, and a sealed one is not', () => {
  const order = JSON.stringify({ routes: [{ callerNumber: 70000000380 }], mode: 'flash', code: '0380' })
  for (const pad of ['', 'x', 'xx']) {
    assert(hasOrder(Buffer.from(`before ${order} after`)))
    assert(hasOrder(Buffer.from(`before ${Buffer.from(pad + order).toString('base64')} after`)), `behind ${pad}`)
  }
  assert(!hasOrder(Buffer.from('{"id":1,"sealed":"AAEC"}')))
})

test('a mutation whose text is missing or occurs twice is refused; every invariant of the design has a mutation', () => {
  const change = { file: 'a.ts', from: 'b', to: 'c' }
  assert.equal(mutated('abd', change), 'acd')
  assert.throws(() => mutated('abbd', change), /a\.ts contains the text to replace 2 times/)
  assert.throws(() => mutated('ad', change), /a\.ts contains the text to replace 0 times/)
  const numbered = Object.keys(invariants).filter((invariant) => /^\d/.test(invariant))
  assert.deepEqual([...new Set(mutationNames.map((name) => mutations[name].breaks))].toSorted(), numbered)
})

for (const name of mutationNames) {
  test(`the mutation "${name}" still fits the source`, () => {
    const changes: Mutation['changes'] = mutations[name].changes
    for (const change of changes) {
      const source = readFileSync(new URL(`../../${change.file}`, import.meta.url), 'utf8')
      assert.notEqual(mutated(source, change), source)
    }
  })
}

function asked(line: Partial<ClientLine> & Pick<ClientLine, 'n'>): ClientLine {
  return { kind: 'flash', method: 'initCall', serviceId: red, phone: '', sentAtMs: t, doneAtMs: t + 10, ...line }
}

function polled(n: number, response: { vendorId: number; callStatus: number; cost: number }): ClientLine {
  return asked({ n, method: 'getInfo', response: { status: 200, ...response } })
}

function dialog(phone: string, event: string, callId = phone) {
  return { type: 'dialog', atMs: t, callId, phone, event } as const
}

function received(callId: number, clientNumber: string) {
  return { atMs: t, path: '/', webhookId: String(callId), isSigned: true, callId, clientNumber, status: 204 }
}

type Verification = Extract<RecordLine, { type: 'verification' }>

// With its ledger entries.
function verified(
  id: number,
  phone: string,
  state: 'succeeded' | 'failed',
  more: Partial<Verification> = {},
): readonly RecordLine[] {
  const entry = { type: 'entry', id, accountId: red, amount: price } as const
  const evaluatedAtMs = more.evaluatedAtMs ?? t
  const verification: Verification = {
    type: 'verification',
    id,
    accountId: red,
    serviceId: red,
    mode: 'flash',
    state,
    phone,
    price,
    attempt: 1,
    acceptedAtMs: evaluatedAtMs,
    evaluatedAtMs,
    endUntilMs: evaluatedAtMs + 11_000,
    endedAtMs: evaluatedAtMs + 2_000,
    ...more,
  }
  const counted = { type: 'counted', phone, serviceId: red, token: id, atMs: evaluatedAtMs } as const
  return [
    verification,
    ...(verification.mode === 'inbound' ? [] : [counted]),
    { ...entry, sequence: 1, from: 'available', to: 'held' },
    { ...entry, sequence: 2, from: 'held', to: state === 'succeeded' ? 'revenue' : 'available' },
  ]
}

function record(...lines: readonly RecordLine[]): Partial<Histories> {
  return { record: [...good.record, ...lines] }
}

function client(...lines: readonly ClientLine[]): Partial<Histories> {
  return { client: [...good.client, ...lines] }
}

function carrier(...lines: Histories['carrier']): Partial<Histories> {
  return { carrier: [...good.carrier, ...lines] }
}

function scan(...lines: Histories['scan']): Partial<Histories> {
  return { scan: [...good.scan, ...lines] }
}

function without(isGone: (line: RecordLine) => boolean): Partial<Histories> {
  return { record: good.record.filter((line) => !isGone(line)) }
}

function changed(id: number, change: Partial<Verification>): Partial<Histories> {
  return {
    record: good.record.map((line) => (line.type === 'verification' && line.id === id ? { ...line, ...change } : line)),
  }
}

function account(id: number, change: Partial<Extract<RecordLine, { type: 'account' }>>): Partial<Histories> {
  return {
    record: good.record.map((line) => (line.type === 'account' && line.id === id ? { ...line, ...change } : line)),
  }
}

function webhook(change: Partial<Extract<RecordLine, { type: 'webhook' }>>): Partial<Histories> {
  return {
    record: good.record.map((line) => (line.type === 'webhook' && line.id === 103 ? { ...line, ...change } : line)),
  }
}
