// Rotates every key ring under load: two hosts, each with its own copy of the secrets, an API and a telephony node. A
// key is created on the first host and copied to the second, then activated on the first and, a while later, on the
// second. Processes load it on SIGHUP, or by a rolling restart. Meanwhile requests arrive at a steady rate: new calls,
// retries, numbers in their cooldown, and numbers that are called repeatedly.

import assert from 'node:assert/strict'
import { copyFileSync, cpSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../scripts/stack/ports.ts'
import { auditLedger } from '../../../server/src/actions/money/ledger.ts'
import { secondOfVerification, type VerificationId } from '../../../server/src/domain/core/slot.ts'
import { type Asked, ask } from '../http/ask.ts'
import { poll } from '../poll.ts'
import { ringproof } from '../process/cli.ts'
import { freshNumber, installPhones } from '../process/phones.ts'
import {
  type Installation,
  makeService,
  type ServedProcess,
  serveProcess,
  type TestService,
} from '../process/server.ts'

export type RotationOptions = {
  readonly timeScale: number
  readonly perSecond: number
  // How processes load a change, for one rotation of every ring after the other.
  readonly rounds: readonly ('reload' | 'restart')[]
  // How long one host seals with the new key while the other still uses the old one.
  readonly mixedMs: number
}

const rings = ['seal-numbers', 'phone-subscriber', 'phone-tenant', 'seal-records'] as const

type Process = { readonly role: string; readonly host: number; readonly port: number; served: ServedProcess }

export async function rotateUnderLoad(options: RotationOptions): Promise<string> {
  const installation = await installPhones(options.timeScale)
  const first = String(installation.environment['RINGPROOF_SECRETS_DIR'])
  const hosts = [first, `${first}-copy`] as const
  cpSync(hosts[0], hosts[1], { recursive: true, preserveTimestamps: true })
  const processes: Process[] = []
  for (const role of ['api', 'calls', 'webhooks,keeper']) {
    for (const host of [0, 1]) {
      const port = await freePort()
      processes.push({ role, host, port, served: await open(installation, hosts[host] ?? first, role, port) })
    }
  }
  const service = await makeService(installation, 100_000)
  const bases = processes.filter(({ role }) => role === 'api').map(({ port }) => `http://127.0.0.1:${port}`)
  const load = createLoad(options, service, bases)
  for (const [round, how] of options.rounds.entries()) {
    // A running process loads one ring after the other; a restarted one loads all of them at once.
    for (const together of how === 'reload' ? rings.map((ring) => [ring]) : [rings]) {
      await rotate({ ...options, installation, hosts, processes, how }, together, round + 1)
    }
  }
  const counts = await load.close()
  await assertNothingLost(installation, processes, service, counts.accepted)
  assert(counts.tooSoon > 0 && counts.retried > 0, 'no limit or idempotency key was exercised')
  return JSON.stringify({ ...counts, accepted: counts.accepted.size })
}

type Rotation = RotationOptions & {
  readonly installation: Installation
  readonly hosts: readonly [string, string]
  readonly processes: readonly Process[]
  readonly how: 'reload' | 'restart'
}

async function rotate(rotation: Rotation, together: readonly string[], before: number): Promise<void> {
  const { installation, hosts, mixedMs } = rotation
  const [here, there] = hosts
  const command = async (...args: string[]) => {
    const { status, err } = await ringproof(installation.environment, 'secrets', ...args)
    assert.equal(status, 0, err)
  }
  const olderKeys = Array.from({ length: before - 1 }, (_, n) => `${n + 1} `).join('')
  for (const ring of together) {
    await command('add', ring)
    copyFileSync(join(here, `${ring}-${before + 1}.key`), join(there, `${ring}-${before + 1}.key`))
  }
  await pin(rotation, [0, 1], together, `${olderKeys}${before}* ${before + 1}`)
  const aMinuteAgo = Date.now() / 1_000 - 60
  for (const ring of together) {
    // Every process has it: an operator would wait half a minute for that.
    utimesSync(join(here, `${ring}-${before + 1}.key`), aMinuteAgo, aMinuteAgo)
    await command('activate', ring, '--on-every-host')
  }
  await pin(rotation, [0], together, `${olderKeys}${before} ${before + 1}*`)
  await sleep(mixedMs)
  for (const ring of together) copyFileSync(join(here, `${ring}.active`), join(there, `${ring}.active`))
  await pin(rotation, [1], together, `${olderKeys}${before} ${before + 1}*`)
}

// Resolves when every process of the hosts has these keys.
async function pin(
  rotation: Rotation,
  hosts: readonly number[],
  together: readonly string[],
  keys: string,
): Promise<void> {
  const { installation, processes, how } = rotation
  for (const one of processes.filter(({ host }) => hosts.includes(host))) {
    if (how === 'reload') {
      const changed = together.map((ring) => one.served.running.says(`"ring":"${ring}","keys":"${keys}"`))
      one.served.running.process.kill('SIGHUP')
      await Promise.all(changed)
    } else {
      one.served.running.process.kill('SIGTERM')
      const { status, err } = await one.served.running.ended
      assert.equal(status, 0, err)
      one.served = await open(installation, rotation.hosts[one.host] ?? '', one.role, one.port)
    }
  }
}

function open(installation: Installation, secretsDir: string, role: string, port: number): Promise<ServedProcess> {
  const settings = {
    RINGPROOF_SECRETS_DIR: secretsDir,
    RINGPROOF_HTTP_PORT: String(port),
    RINGPROOF_NODE: `node-${port}`,
  }
  return serveProcess(installation, settings, '--roles', role)
}

type Sent = { readonly phone: string; readonly unique: string; readonly id: number; readonly atMs: number }
type Call = (phone: string, unique: string) => Promise<Asked>

// Every second request is a new call; the rest must be refused or repeated.
function createLoad(
  { perSecond, timeScale }: RotationOptions,
  { bearer: headers }: TestService,
  bases: readonly string[],
) {
  const accepted = new Map<number, string>()
  const failures: string[] = []
  const inFlight = new Set<Promise<void>>()
  let [n, resent] = [0, 0]

  // As a client does: another process, if one is just restarting; the idempotency key makes it the same request.
  const call: Call = async (phone, unique) => {
    for (let attempt = 0; ; attempt++) {
      const url = `${bases[(n + attempt) % bases.length]}/v1.0/initCall`
      const asked = await ask(url, { method: 'POST', headers, body: { phone, unique } }).catch(() => undefined)
      if (asked?.status === 200) accepted.set(Number(asked.json['vendor_id']), phone)
      if (asked && asked.status !== 503) return asked
      if (attempt === 50) throw new Error(`no process answers: ${asked?.text}`)
      resent += 1
      await sleep(100)
    }
  }
  const { kinds, counts } = kindsOfRequest(call, timeScale)
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1_000
  // Requests that a busy machine delayed are sent as well: the rate holds.
  const timer = setInterval(() => {
    while (n < seconds() * perSecond) {
      const nth = n++
      const done = (kinds[nth % kinds.length] ?? kinds[0])(nth)
        .catch((error: unknown) => void failures.push(String(error)))
        .finally(() => inFlight.delete(done))
      inFlight.add(done)
    }
  }, 1_000 / perSecond)
  return {
    close: async () => {
      clearInterval(timer)
      const perSecondSent = Math.round(n / seconds())
      await Promise.all(inFlight)
      assert.deepEqual(failures, [])
      return { sent: n, perSecondSent, resent, ...counts(), accepted }
    },
  }
}

const recentMax = 2_000

function kindsOfRequest(call: Call, timeScale: number) {
  const recent: Sent[] = []
  const often = Array.from({ length: 4 }, () => ({ phone: freshNumber('180'), seconds: [] as number[] }))
  const counted = { fresh: 0, retried: 0, tooSoon: 0, usedUp: 0 }
  const fresh = async (nth: number) => {
    const { phone, unique } = { phone: freshNumber('180'), unique: `new ${nth}` }
    const asked = await call(phone, unique)
    assert.equal(asked.status, 200, asked.text)
    counted.fresh += 1
    recent.push({ phone, unique, id: Number(asked.json['vendor_id']), atMs: performance.now() })
    if (recent.length > recentMax) recent.shift()
  }
  const retried = async (nth: number) => {
    const sent = recent[(nth * 7_919) % Math.max(1, recent.length)]
    if (!sent) return
    const asked = await call(sent.phone, sent.unique)
    assert.deepEqual([asked.json['vendor_id'], asked.json['exists']], [sent.id, true], asked.text)
    counted.retried += 1
  }
  const tooSoon = async (nth: number) => {
    const sent = recent.findLast(({ atMs }) => performance.now() - atMs < 3_000 * timeScale)
    if (!sent) return
    const asked = await call(sent.phone, `too soon ${nth}`)
    // A request delayed by a restart may be accepted: compared by the seconds of the IDs, which are whole.
    const apart = asked.status === 200 ? secondOf(asked) - secondOfVerification(sent.id as VerificationId) : undefined
    if (apart === undefined) assert.equal(asked.json['code'], 19, asked.text)
    else assert(apart >= 15 * timeScale - 1, `two calls of one number within ${apart} s: ${asked.text}`)
    counted.tooSoon += apart === undefined ? 1 : 0
  }
  const calledOften = async (nth: number) => {
    const one = often[Math.floor(nth / kinds.length) % often.length]
    assert(one)
    const asked = await call(one.phone, `often ${nth}`)
    if (asked.status === 200) one.seconds.push(secondOf(asked))
    else if (asked.json['code'] === 18) counted.usedUp += 1
    else assert.equal(asked.json['code'], 19, asked.text)
    const [newest = 0, , , , fifth] = one.seconds.toSorted((x, y) => y - x)
    assert(fifth === undefined || newest - fifth >= 600 * timeScale - 1, 'more than four calls in ten minutes')
  }
  const kinds = [fresh, retried, fresh, tooSoon, fresh, retried, fresh, calledOften] as const
  return { kinds, counts: () => ({ ...counted, often: often.map(({ seconds }) => seconds.length).join(' ') }) }
}

function secondOf({ json }: Asked): number {
  return secondOfVerification(Number(json['vendor_id']) as VerificationId)
}

async function assertNothingLost(
  installation: Installation,
  processes: readonly Process[],
  { serviceId }: TestService,
  accepted: ReadonlyMap<number, string>,
): Promise<void> {
  const ended = async () => {
    const { rows } = await installation.slots.globalDatabase.query<{ state: string; reason: string; ids: number[] }>(
      `SELECT state, reason, array_agg(id)::float8[] AS ids FROM verifications WHERE service_id = $1 GROUP BY 1, 2`,
      [serviceId],
    )
    return rows
  }
  const isOver = (all: readonly { state: string }[]) =>
    all.every(({ state }) => state !== 'accepted' && state !== 'dialling')
  const rows = await poll('every call to end', ended, isOver, { timeoutMs: 90_000, intervalMs: 200 })
  assert.deepEqual(
    rows.map(({ state, reason }) => `${state} ${reason}`),
    ['succeeded rang'],
    'every call was made',
  )
  assert.deepEqual(new Set(rows[0]?.ids), new Set(accepted.keys()), 'the database has exactly the accepted calls')
  assert.deepEqual((await auditLedger(installation)).faults, [])
  for (const { role, served } of processes)
    assert(!served.output().includes('call order returned'), `${role}: ${served.output()}`)
}
