// What a run does, decided by its seed alone: every request with its time, number and service, and every fault with its
// victim, in order. Durations are not decided here, so two runs of one seed request and break the same things in the
// same order, but not at the same instants.

export type RequestKind =
  | 'flash'
  | 'unkeyed'
  | 'voice'
  | 'mix'
  | 'replay'
  | 'burst'
  | 'poor'
  | 'no-money'
  | 'wrong-country'
  | 'wait'
  | 'foreign'
  | 'after'

export type PlannedRequest = {
  readonly n: number
  readonly atMs: number
  readonly kind: RequestKind
  // Which service sends the request, and to which API process first.
  readonly service: ServiceName
  readonly api: number
  readonly phone: string
  readonly mode: 'flash' | 'voice' | 'mix' | 'inbound'
  readonly unique?: string
  // The request whose verification is read.
  readonly of?: number
  // Over which telephony node the subscriber calls, how often, and how often the webhook receiver fails first.
  readonly node: number
  readonly subscriberCalls: number
  readonly receiverFailures: number
  // Where its webhook goes, if not to the receiver of the run.
  readonly receiverUrl?: string
}

export const serviceNames = ['red', 'green', 'blue', 'poor', 'empty', 'abroad'] as const
export type ServiceName = (typeof serviceNames)[number]

export type Fault = {
  // `stop` is PostgreSQL's immediate shutdown; an `outage` is longer than ack_wait.
  readonly act: 'kill' | 'pause' | 'stop' | 'outage' | 'wipe'
  readonly victim: string
  readonly holdMs: number
  // From the end of this fault to the start of the next.
  readonly gapMs: number
  // How long before the fault its requests are sent, so that it hits requests in flight.
  readonly leadMs: number
  readonly volley: readonly PlannedRequest[]
}

export type Plan = {
  // Every duration of the product is multiplied by this.
  readonly timeScale: number
  readonly requests: readonly PlannedRequest[]
  readonly faults: readonly Fault[]
}

export type Randomness = () => number

const requestsPerSecond = 6
const hotNumbers = 5
const answeredMs = 1_000
const mix: readonly (readonly [RequestKind, number])[] = [
  ['flash', 26],
  ['unkeyed', 12],
  ['voice', 8],
  ['mix', 3],
  ['replay', 10],
  ['burst', 8],
  ['poor', 7],
  ['no-money', 3],
  ['wrong-country', 3],
  ['wait', 13],
  ['foreign', 7],
]
// The last three digits of a number select what its carrier does; most phones ring.
const flashScenarios = ['180', '180', '180', '586', '200', '404', '503', '100'] as const
const voiceScenarios = ['200', '200', '404', '180'] as const

export function planRun(seed: number, killCount: number): Plan {
  const bare = planFaults(createRandom(seed), killCount, timeScaleOf(seed))
  // The run does not wait for the end of a pause.
  const lengthMs = bare.reduce(
    (sum, { act, leadMs, holdMs, gapMs }) => sum + leadMs + (act === 'pause' ? 0 : holdMs) + gapMs,
    0,
  )
  const requests = planRequests(createRandom(seed + 1), Math.max(lengthMs, 4_000))
  const random = createRandom(seed + 3)
  return {
    timeScale: timeScaleOf(seed),
    requests,
    faults: bare.map((fault, index) => ({ ...fault, volley: planVolley(random, fault, index) })),
  }
}

// Time that the machine needs is not scaled. At the smallest scale the keeper ends a call before a hanging dispatch
// times out; with every fourth seed there is time for it to be undone.
function timeScaleOf(seed: number): number {
  return seed % 4 === 0 ? 0.35 : 0.2
}

// mulberry32: small, good enough to shuffle with, and the same everywhere.
export function createRandom(seed: number): Randomness {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const roles = ['api', 'calls', 'webhooks'] as const
const killsInBlock: readonly (readonly [Fault['act'], string])[] = [
  ...roles.flatMap((role) => [0, 1].map((n) => ['kill', `${role}-${n}`] as const)),
  ...roles.map((role) => ['kill', role] as const),
  ['kill', 'api'],
  ['kill', 'calls'],
  ['kill', 'keeper'],
  ['kill', 'keeper'],
  ['kill', 'nats'],
  ['kill', 'nats'],
  ['kill', 'asterisk-0'],
  ['kill', 'asterisk-1'],
  ['stop', 'postgres'],
  ['outage', 'postgres'],
  ['wipe', 'nats'],
]
const pauses = ['api', 'calls', 'webhooks', 'nats', 'asterisk'] as const
const doubles = new Set(['api', 'calls', 'webhooks', 'keeper', 'asterisk', 'postgres'])
const killsPerPause = 3

type BareFault = Omit<Fault, 'volley'>

// Blocks of twenty kills of every kind, in random order, with a pause now and then. With every other seed a block ends
// with the wipe: no process is started after it that would repair what was lost.
//
// First a keeper is frozen for longer than a call may take; in a long run later the other one too.
function planFaults(random: Randomness, killCount: number, timeScale: number): readonly BareFault[] {
  const kills = Array.from({ length: Math.ceil(killCount / killsInBlock.length) }, () => planBlock(random))
  const paused = Array.from({ length: Math.ceil(killCount / killsPerPause / pauses.length) + 1 }, () =>
    shuffled(random, pauses),
  ).flat()
  const faults = kills
    .flat()
    .slice(0, killCount)
    .flatMap(([act, victim], index) => {
      const fault = planFault(random, act, victim, between(random, 600, 1_600))
      const target = paused[Math.floor(index / killsPerPause)]
      if (index % killsPerPause !== killsPerPause - 1 || target === undefined) return [fault]
      return [fault, planFault(random, 'pause', target, between(random, 500, 1_500))]
    })
  const freeze = (nth: number): BareFault => ({
    act: 'pause',
    victim: `keeper-${nth}`,
    holdMs: Math.round(between(random, 61_000, 70_000) * timeScale) + freezeExtraMs,
    gapMs: 300,
    leadMs: 0,
  })
  const half = Math.ceil(faults.length / 2)
  const later = killCount >= secondFreezeKills ? [freeze(1)] : []
  return [freeze(0), ...faults.slice(0, half), ...later, ...faults.slice(half)]
}

const secondFreezeKills = 20
// What the check adds for slow machines, and some time in which calls could be lost.
const freezeExtraMs = 10_000

function planBlock(random: Randomness): typeof killsInBlock {
  const block = shuffled(random, killsInBlock)
  if (random() < 0.5) return block
  return [...block.filter(([act]) => act !== 'wipe'), ...block.filter(([act]) => act === 'wipe')]
}

function planFault(random: Randomness, act: Fault['act'], victim: string, gapMs: number): BareFault {
  const leadMs = between(random, 0, 250)
  return { act, victim: nameOf(random, victim), holdMs: durationMs(random, act, victim), gapMs, leadMs }
}

const volleyKinds = ['flash', 'unkeyed', 'unkeyed', 'voice', 'wait', 'burst'] as const
const volleyFirst = 5_000
const volleyMax = 10

// Sent to the process that is about to break, if it accepts requests; a burst goes to all of them.
export function planVolley(
  random: Randomness,
  { victim }: Pick<Fault, 'victim'>,
  index: number,
): readonly PlannedRequest[] {
  const [, api] = /^api-(\d)$/.exec(victim) ?? []
  const first = volleyFirst + index * volleyMax
  return volleyKinds
    .flatMap((kind, nth) => planOne(random, kind, 0, first + nth, [], [numberOf(first + nth, '180')]))
    .map((request, nth) => ({
      ...request,
      n: first + nth,
      api: request.kind === 'burst' || api === undefined ? request.api : Number(api),
    }))
}

function nameOf(random: Randomness, victim: string): string {
  return doubles.has(victim) ? `${victim}-${between(random, 0, 1)}` : victim
}

// An outage is longer than ack_wait, a dispatch is usually frozen for longer than its timeout, and a worker may be
// frozen until another process has ended its calls.
function durationMs(random: Randomness, act: Fault['act'], victim: string): number {
  switch (act) {
    case 'outage':
      return between(random, 1_900, 2_900)
    case 'pause':
      if (victim === 'calls') return between(random, 2_000, 13_000)
      return between(random, victim === 'nats' ? 2_500 : 500, 4_000)
    case 'kill':
    case 'stop':
    case 'wipe':
      return between(random, 50, 700)
  }
}

export function planRequests(random: Randomness, lengthMs: number): readonly PlannedRequest[] {
  const count = Math.round((lengthMs / 1_000) * requestsPerSecond)
  const hot = Array.from({ length: hotNumbers }, (_, index) => numberOf(9_900 + index, '180'))
  const requests: PlannedRequest[] = []
  for (let index = 0; index < count; index++) {
    const atMs = Math.round((index * lengthMs) / count + random() * 100)
    for (const planned of planOne(random, drawn(random, mix), atMs, requests.length, requests, hot)) {
      requests.push({ ...planned, n: requests.length })
    }
  }
  return requests
}

// A request about an earlier verification needs one; until there is one it is a flash call.
function planOne(
  random: Randomness,
  kind: RequestKind,
  atMs: number,
  at: number,
  before: readonly PlannedRequest[],
  hot: readonly string[],
): readonly Omit<PlannedRequest, 'n'>[] {
  const common = { kind, atMs, api: between(random, 0, 1), node: between(random, 0, 1), subscriberCalls: 0 }
  const service = one(random, ['red', 'green', 'blue'] as const)
  const call = { ...common, service, mode: 'flash', receiverFailures: 0 } as const
  const fresh = { ...call, phone: numberOf(at, one(random, flashScenarios)) }
  const keyed = { ...fresh, unique: `key-${at}` }
  switch (kind) {
    case 'voice':
      return [{ ...keyed, mode: 'voice', phone: numberOf(at, one(random, voiceScenarios)) }]
    case 'mix':
      return [{ ...keyed, mode: 'mix', phone: numberOf(at, '200') }]
    case 'unkeyed':
      return [fresh]
    case 'poor':
      return [{ ...keyed, service: 'poor' }]
    case 'no-money':
      return [{ ...keyed, service: 'empty' }]
    case 'wrong-country':
      return [{ ...keyed, service: 'abroad' }]
    case 'burst': {
      const phone = one(random, hot)
      const askers = shuffled(random, ['red', 'green', 'blue'] as const)
      return askers.map((asker, index) => ({
        ...call,
        service: asker,
        phone,
        api: index % 2,
        unique: `burst-${at}-${index}`,
      }))
    }
    case 'wait': {
      const receiverFailures = one(random, [0, 0, 0, 1, 2] as const)
      const subscriberCalls = one(random, [0, 1, 1, 1, 1, 2] as const)
      return [{ ...call, mode: 'inbound', phone: numberOf(at, '180'), receiverFailures, subscriberCalls }]
    }
    case 'replay':
    case 'foreign':
      return [planAnother(random, kind, { ...keyed, kind: 'flash' }, before)]
    case 'flash':
    case 'after':
      return [keyed]
  }
}

function planAnother(
  random: Randomness,
  kind: 'replay' | 'foreign',
  otherwise: Omit<PlannedRequest, 'n'>,
  before: readonly PlannedRequest[],
): Omit<PlannedRequest, 'n'> {
  const wanted = before.slice(-40).filter((earlier) => fits(kind, earlier, otherwise.atMs))
  if (wanted.length === 0) return otherwise
  const earlier = one(random, wanted)
  if (kind === 'replay') return { ...earlier, kind, atMs: otherwise.atMs, api: 1 - earlier.api, of: earlier.n }
  const service = earlier.service === 'red' ? 'green' : 'red'
  return { ...earlier, kind, service, atMs: otherwise.atMs, api: otherwise.api, of: earlier.n }
}

// A foreign service reads a verification that was returned earlier and has no text that only its owner can decrypt:
// such text would make the response fail and hide the leak.
function fits(kind: 'replay' | 'foreign', earlier: PlannedRequest, atMs: number): boolean {
  if (kind === 'replay') return earlier.unique !== undefined && (earlier.kind === 'flash' || earlier.kind === 'voice')
  return (earlier.kind === 'unkeyed' || earlier.kind === 'wait') && earlier.atMs < atMs - answeredMs
}

// Area code 907 is unassigned in Russia.
export function numberOf(serial: number, scenario: string): string {
  return `7907${String(serial % 10_000).padStart(4, '0')}${scenario}`
}

export function between(random: Randomness, first: number, last: number): number {
  return first + Math.floor(random() * (last - first + 1))
}

export function one<T>(random: Randomness, things: readonly T[]): T {
  const thing = things[Math.floor(random() * things.length)]
  if (thing === undefined) throw new RangeError('nothing to choose from')
  return thing
}

function drawn<T>(random: Randomness, weighed: readonly (readonly [T, number])[]): T {
  return one(
    random,
    weighed.flatMap(([thing, weight]) => Array.from({ length: weight }, () => thing)),
  )
}

function shuffled<T>(random: Randomness, things: readonly T[]): readonly T[] {
  return things
    .map((thing) => [random(), thing] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, thing]) => thing)
}
