// Forged and genuine calls over every transport, against a whole installation whose trunks enforce the return path. Run
// by runInNamespace, with CALLS calls of each kind. RELAY is the Kamailio program, if installed.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertConfirmationNumber } from '../../../server/src/db/trunks/confirmation-number.ts'
import { putTrunk } from '../../../server/src/db/trunks/trunk.ts'
import { slotOfNth } from '../../../server/src/domain/trunks/confirmation-number.ts'
import { type Trunk, trunkDefaults } from '../../../server/src/domain/trunks/trunk.ts'
import { atEnd } from '../at-end.ts'
import { ask } from '../http/ask.ts'
import { createReceiverToTheEnd } from '../http/webhook-receiver.ts'
import { enterNamespace } from '../network/network-namespace.ts'
import { confirmationFirst, installPhones } from '../process/phones.ts'
import { makeService, serveProcess } from '../process/server.ts'
import { fileDirectory } from '../temporary-directory.ts'
import { testAsterisk } from './asterisk.ts'
import { type CarrierCall, type CarrierCaller, createCarrierCaller } from './carrier.ts'

const calls = Number(process.env['CALLS'])
const callsPerSecond = Number(process.env['CALLS_PER_SECOND'])
const relayProgram = process.env['RELAY']
const isWhole = relayProgram !== undefined

const us = '10.99.0.1'
const attackers = Array.from({ length: 8 }, (_, nth) => `10.99.0.${90 + nth}`)
const carriers = { udp: '10.99.0.2', tcp: '10.99.0.3', tls: '10.99.0.4', relay: '10.99.0.5' } as const
const plainKamailio = '10.99.0.6'
type Carrier = keyof typeof carriers

await enterNamespace([us, plainKamailio, ...attackers, ...Object.values(carriers)])
const certificate = makeCertificate()
const asterisk = await testAsterisk({ site: { sipHost: us }, rewrite: giveCertificate })
const phones = await installPhones(1)
const { globalDatabase } = phones.slots
await globalDatabase.query('DELETE FROM confirmation_numbers')
for (const [nth, name] of Object.keys(carriers).entries()) {
  await setTrunk(name as Carrier)
  for (let n = 0; n < 8; n++) {
    await insertConfirmationNumber(globalDatabase, confirmationFirst + nth * 100 + n, name, slotOfNth(n))
  }
}
const { base, metrics, running, output } = await serveProcess({
  ...phones,
  environment: { ...phones.environment, ...asterisk.environment },
})
await running.says('"msg":"ARI connected"')
const service = await makeService(phones, 100_000)
const receiver = await createReceiverToTheEnd()
const knownTags: string[] = []
const opened: CarrierCaller[] = []
atEnd(async () => opened.forEach((one) => one.close()))
await sleep(2_000)

// Everything that the tags of Kamailio itself are made of.
const listening = [
  [us, asterisk.inboundPort],
  ['127.0.0.1', asterisk.edge?.site.insidePort ?? 0],
]

const minimum = Math.ceil(calls * 0.999)
// A forger sends every packet once; on a busy machine a few are lost, and a CANCEL may precede its call.
const arrivedMin = Math.floor(calls * 0.95)

for (const kind of ['udp', 'lossy', 'tcp', 'tls'] as const) {
  test(`genuine calls over ${kind === 'lossy' ? 'UDP with 10 % of packets lost' : kind.toUpperCase()} verify`, async (t) => {
    const carrier = kind === 'lossy' ? 'udp' : kind
    const outcomes = await outcomesOf(carrier, calls, (planned) => callAll(kind, planned))
    t.diagnostic(`${kind}: ${JSON.stringify(outcomes)} of ${calls}`)
    assert((outcomes['matched'] ?? 0) >= minimum, JSON.stringify(outcomes))
  })
}

// The expected outcome of each: a forged call that would be refused for another reason proves nothing. Those of every
// run come first.
type Forgery = readonly [mode: string, carrier: Carrier, outcome: string]
const forgeries: readonly Forgery[] = [
  ['guess', 'udp', 'unconfirmed'],
  ['cancel-maddr', 'udp', 'unconfirmed'],
  ['maddr', 'udp', 'foreign-via'],
  ['maddr-long', 'udp', 'foreign-via'],
  ['via2', 'udp', 'foreign-via'],
  ['via2-comma', 'udp', 'foreign-via'],
  ['as-tcp', 'tcp', 'wrong-transport'],
  ['as-tls', 'tls', 'wrong-transport'],
  ['blind', 'udp', 'unconfirmed'],
  ['received', 'udp', 'unconfirmed'],
  ['rport', 'udp', 'unconfirmed'],
  ['via2-compact', 'udp', 'foreign-via'],
  ['blind', 'tcp', 'wrong-transport'],
  ['blind', 'tls', 'wrong-transport'],
]
// In a short run all calls of a trunk in parallel, because each waits for an ACK that does not come.
const groups: readonly (readonly Forgery[])[] = isWhole
  ? forgeries.map((forgery) => [forgery])
  : [...Map.groupBy(forgeries.slice(0, 8), ([, carrier]) => carrier).values()]

for (const group of groups) {
  const carrier = group[0]?.[1] ?? 'udp'
  test(`forged calls verify nobody: ${group.map(([mode]) => mode).join(', ')} over a trunk of ${carrier}`, async (t) => {
    const { outcomes, received } = await forged(group)
    t.diagnostic(`${carrier}: ${JSON.stringify({ outcomes, received })}`)
    assertHeld(group, outcomes)
    // These attackers did learn Asterisk's tags, so something else stopped them. The edge replies only to where a call came from.
    for (const { mode, learnt } of received) {
      if (mode.includes('maddr') && !asterisk.edge) assert(learnt >= arrivedMin, `${mode}: ${learnt} tags learnt`)
      else assert.equal(learnt, 0, mode)
    }
  })
}

test('through a relay forged calls verify nobody, and all of them once the operator has allowed relays', async (t) => {
  if (relayProgram === undefined) return t.skip('no Kamailio here: npm run verify -- forged')
  await startRelay(relayProgram)
  const relayed: readonly Forgery[] = [
    ['via2', 'relay', 'foreign-via'],
    ['via2-comma', 'relay', 'foreign-via'],
    ['cancel-via2', 'relay', 'unconfirmed'],
  ]
  for (const forgery of relayed) {
    const { outcomes, received } = await forged([forgery])
    t.diagnostic(`relay: ${JSON.stringify({ outcomes, received })}`)
    assertHeld([forgery], outcomes)
  }
  await setTrunk('relay', { allowsRelay: true })
  await sleep(2_000)
  const { outcomes, received } = await forged([['via2', 'relay', 'unconfirmed']])
  t.diagnostic(`via2 relay, allowed: ${JSON.stringify({ outcomes, received })}`)
  // Shows that the attack is real.
  assert((outcomes['matched'] ?? 0) > calls / 2, JSON.stringify(outcomes))
})

test('the tags of Kamailio itself can be computed, as these attackers do', async (t) => {
  if (relayProgram === undefined) return t.skip('no Kamailio here: npm run verify -- forged')
  const place = [plainKamailio, 5060] as const
  await startKamailio(
    relayProgram,
    place[0],
    'loadmodule "tm.so"\nrequest_route { t_newtran(); t_reply("486", "Busy"); exit; }',
  )
  const order = { mode: 'blind', callsPerSecond: 50, target: place, listening: [place], knownTags: [], seconds: 1 }
  // A caller at its own address, who gets the replies.
  const planned = Array.from({ length: 20 }, () => ({ id: randomBytes(8).toString('hex'), called: '1', caller: '2' }))
  const { learnt, computed } = await forge({
    ...order,
    calls: planned,
    source: [attackers[0], 5060],
    attacker: [attackers[0], 5060],
  })
  assert.deepEqual({ learnt, computed }, { learnt: 20, computed: 20 })
})

test('the log names trunk, transport and outcome of every call, and no number', () => {
  const lines = output()
    .split('\n')
    .filter((line) => line.includes('inbound call received'))
  assert(lines.length > 0 && lines.every((line) => /"transport":"\w+".*"outcome":"/.test(line)))
  assert(lines.every((line) => !/79\d{9}/.test(line)))
})

// Every call that arrived has the expected outcome, and no other.
function assertHeld(group: readonly Forgery[], outcomes: Readonly<Record<string, number>>): void {
  const expected = Map.groupBy(group, ([, , outcome]) => outcome)
  assert.deepEqual(Object.keys(outcomes).toSorted(), [...expected.keys()].toSorted())
  for (const [name, all] of expected) {
    assert((outcomes[name] ?? 0) >= all.length * arrivedMin, `${name}: ${outcomes[name]}`)
  }
}

async function forged(
  group: readonly Forgery[],
): Promise<{ outcomes: Record<string, number>; received: readonly ForgerReport[] }> {
  let received: readonly ForgerReport[] = []
  const outcomes = await outcomesOf(group[0]?.[1] ?? 'udp', calls * group.length, async (planned) => {
    const all = group.map(([mode, carrier, outcome], nth) =>
      forge({
        mode,
        calls: planned.slice(nth * calls, (nth + 1) * calls),
        callsPerSecond,
        source: [carriers[carrier], 5060],
        target: [us, asterisk.inboundPort],
        attacker: [attackers[nth], 5060],
        knownTags: knownTags.slice(-5),
        listening,
        // A call that is refused at once has nothing to wait for.
        seconds: outcome === 'unconfirmed' ? 8 : 1,
      }),
    )
    received = await Promise.all(all)
  })
  return { outcomes, received }
}

// Every call has a pending verification; the outcome of each call is read where it is counted.
async function outcomesOf(
  carrier: Carrier,
  wanted: number,
  make: (planned: readonly CarrierCall[]) => Promise<void>,
): Promise<Record<string, number>> {
  await serveOver(carrier)
  const before = await counted()
  const planned: CarrierCall[] = []
  const plan = async () => {
    while (planned.length < wanted) {
      const call = { id: randomBytes(8).toString('hex'), called: '', caller: `+${nextPhone()}` }
      planned.push(call)
      call.called = `+${await waitFor(carrier, call.caller.slice(1))}`
    }
  }
  await Promise.all(Array.from({ length: 8 }, plan))
  await make(planned)
  let outcomes: Record<string, number> = {}
  // Longer than the wait for an ACK.
  let lastMs = performance.now()
  let sum = 0
  while (sum < wanted && performance.now() - lastMs < 12_000) {
    const after = await counted()
    outcomes = Object.fromEntries(
      [...after]
        .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
        .filter(([, count]) => count > 0),
    )
    const now = Object.values(outcomes).reduce((all, count) => all + count, 0)
    if (now > sum) lastMs = performance.now()
    sum = now
    await sleep(100)
  }
  return outcomes
}

// Only this carrier serves any country meanwhile, so that its numbers are given out.
async function waitFor(carrier: Carrier, phone: string): Promise<string> {
  const body = { phone, callback_url: `${receiver.url}/` }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  const number = Number(asked.json['confirmation_number'])
  assert.equal(Math.floor((number - confirmationFirst) / 100), Object.keys(carriers).indexOf(carrier))
  return String(number)
}

let serving: Carrier | undefined

async function serveOver(carrier: Carrier): Promise<void> {
  if (serving === carrier) return
  serving = carrier
  await globalDatabase.query(`UPDATE trunks SET countries = CASE name WHEN $1 THEN '{*}' ELSE '{AQ}'::text[] END`, [
    carrier,
  ])
  // Longer than every process takes to reload.
  await sleep(1_500)
}

let serial = 0

function nextPhone(): string {
  return `7907${String(serial++).padStart(7, '0')}`
}

async function counted(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(metrics)).text()
  const lines = text.matchAll(/^ringproof_inbound_calls_total\{outcome="([\w-]+)"\} (\d+)$/gm)
  return new Map([...lines].map(([, name = '', count]) => [name, Number(count)]))
}

async function setTrunk(name: Carrier, changes: Partial<Trunk> = {}): Promise<void> {
  const transport = name === 'relay' ? 'udp' : name
  const address = `${carriers[name]}:5060`
  const rates = { channels: 1_000, callsPerSecond: 1_000 }
  await putTrunk(globalDatabase, {
    ...trunkDefaults,
    ...rates,
    name,
    address,
    transport,
    returnPath: 'enforce',
    ...changes,
  })
}

// The connection is opened with the first call: Asterisk closes an idle one.
async function callAll(kind: 'udp' | 'lossy' | 'tcp' | 'tls', planned: readonly CarrierCall[]): Promise<void> {
  const transport = kind === 'lossy' ? 'udp' : kind
  const { inboundPort, site } = asterisk
  const one = await createCarrierCaller({
    transport,
    // Next to the port that forged calls come from.
    from: { host: carriers[transport], port: kind === 'lossy' ? 5062 : 5061 },
    to: { host: us, port: kind === 'tls' ? site.sipTlsPort : inboundPort },
    loss: kind === 'lossy' ? 0.1 : 0,
  })
  // It stays open, because a 486 whose ACK was lost may be retransmitted.
  opened.push(one)
  await paced(planned, (call) => one.call(call))
  knownTags.push(...one.tags)
}

async function paced(planned: readonly CarrierCall[], make: (call: CarrierCall) => Promise<unknown>): Promise<void> {
  const startedMs = performance.now()
  const all: Promise<unknown>[] = []
  for (const [n, call] of planned.entries()) {
    await sleep(Math.max(0, startedMs + (n * 1_000) / callsPerSecond - performance.now()))
    all.push(make(call))
  }
  await Promise.all(all)
}

type ForgerReport = {
  readonly mode: string
  readonly received: number
  readonly learnt: number
  readonly guessed: number
  // Tags received that could be computed.
  readonly computed: number
}

async function forge(order: unknown): Promise<ForgerReport> {
  const child = spawn('python3', [join(import.meta.dirname, 'forge.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text: Buffer) => (said += text.toString()))
  child.stdin.end(JSON.stringify(order))
  const [status] = (await once(child, 'close')) as [number | null]
  assert.equal(status, 0, 'the forger failed')
  return JSON.parse(said) as ForgerReport
}

// A carrier that is only a proxy: it forwards replies by their Vias.
function startRelay(program: string): Promise<void> {
  return startKamailio(program, carriers.relay, 'request_route { exit; }')
}

async function startKamailio(program: string, host: string, script: string): Promise<void> {
  const config = join(fileDirectory(), `${host}.cfg`)
  writeFileSync(config, `children=2\nauto_aliases=no\nlisten=udp:${host}:5060\n${script}\n`)
  const modules = ['-L', join(process.env['LD_LIBRARY_PATH'] ?? '', 'modules')]
  const child = spawn(program, ['-f', config, '-DD', '-E', '-Y', fileDirectory(), ...modules], {
    stdio: 'ignore',
    detached: true,
  })
  atEnd(async () => {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  })
  await sleep(2_000)
  assert.equal(child.exitCode, null, 'Kamailio does not run')
}

function makeCertificate(): string {
  const path = join(fileDirectory(), 'node')
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-subj', `/CN=${us}`, '-keyout', `${path}.key`, '-out', `${path}.pem`]
  execFileSync('openssl', ['req', ...kind, ...files], { stdio: 'ignore' })
  return path
}

function giveCertificate(directory: string): void {
  const lines = `cert_file = ${certificate}.pem\npriv_key_file = ${certificate}.key\n`
  appendFileSync(join(directory, 'etc/pjsip-tls.conf'), lines)
}
