// Invariant 1: every accepted call ends on time, and its end does not change. Also: the next call works after the last
// fault, without manual repair.

import { type FaultLine, type Histories, recorded } from './histories.ts'

const finalStates = new Set(['succeeded', 'failed'])
const endMs = 60_000
// From the end of an inbound request to its end in the database.
const waitEndMs = 5_000
// A machine that constantly starts processes wakes others late, and that is not scaled.
const lateMs = 3_000

export function callsEnd(histories: Histories): readonly string[] {
  const verifications = recorded(histories, 'verification')
  const states = new Map(verifications.map(({ id, state }) => [id, state]))
  const open = verifications.filter(({ state }) => !finalStates.has(state))
  const late = verifications.filter(
    (one) => one.endedAtMs !== undefined && one.endedAtMs > endLimitMs(histories, one) + lateMs,
  )
  const changed = recorded(histories, 'change').filter(({ from }) => finalStates.has(from))
  return [
    ...open.map(({ id, state }) => `${id} is still ${state}`),
    ...late.map(
      ({ id, endedAtMs = 0, acceptedAtMs }) => `${id} took ${Math.round(endedAtMs - acceptedAtMs)} ms to end`,
    ),
    ...changed.map(({ id, from, to }) => `${id} was ${from} and became ${to}`),
    ...reportFaults(histories, states),
  ]
}

// What was reported to clients is in the database, and a final state never changes.
function reportFaults({ client }: Histories, states: ReadonlyMap<number, string>): readonly string[] {
  const words: Readonly<Record<number, string>> = { 0: 'failed', 1: 'succeeded' }
  return client.flatMap(({ response, method }) => {
    const { status, vendorId, callStatus } = response ?? {}
    if (status !== 200 || vendorId === undefined) return []
    const state = states.get(vendorId)
    if (state === undefined) return [`${vendorId} was returned by ${method} and is not in the database`]
    const reported = callStatus === undefined ? undefined : words[callStatus]
    return reported !== undefined && reported !== state
      ? [`${vendorId} was reported as ${reported} and is ${state} in the database`]
      : []
  })
}

// A database outage extends the deadline of the calls in it. Nothing else does: no keeper outage, and no process of
// another role.
function endLimitMs(
  { settings, faults }: Histories,
  one: { readonly id: number; readonly mode: string; readonly acceptedAtMs: number; readonly endUntilMs: number },
): number {
  const { timeScale } = settings
  const ownMs = one.mode === 'inbound' ? one.endUntilMs + waitEndMs * timeScale : one.acceptedAtMs + endMs * timeScale
  // The ID contains the slot; every database has the same number of slots.
  const database = Math.floor(((Math.floor(one.id / 2 ** 17) % 64) * settings.databases) / 64)
  const spans = faults.filter(({ victim }) => victim === `postgres-${database}`).toSorted((a, b) => a.atMs - b.atMs)
  return spans.reduce((limitMs, fault) => moved(limitMs, fault, one.acceptedAtMs, endMs * timeScale), ownMs)
}

function moved(limitMs: number, { atMs, backAtMs }: FaultLine, sinceMs: number, againMs: number): number {
  return atMs > limitMs || backAtMs < sinceMs ? limitMs : Math.max(limitMs, backAtMs + againMs)
}

export function comesBack({ client, receiver, settings }: Histories): readonly string[] {
  const after = client.filter(({ kind }) => kind === 'after')
  const starts = after.filter(({ method }) => method !== 'getInfo')
  const refused = starts.filter(({ response }) => response?.status !== 200)
  const ends = after.filter(({ method, response }) => method === 'getInfo' && response?.callStatus === 1)
  const ended = new Set(ends.map(({ n }) => n))
  const unmade = new Set(starts.map(({ n }) => n).filter((n) => !ended.has(n)))
  const received = receiver.some(({ callId }) => ends.some(({ response }) => response?.vendorId === callId))
  return [
    ...refused.map(({ method, response }) => `${method} got ${response?.status ?? 'no response'} after the last fault`),
    ...[...unmade].map((n) => `request ${n}, after the last fault, did not succeed`),
    ...(received || starts.length === 0 ? [] : ['no webhook came after the last fault']),
    ...(starts.length === 0 ? [`no request was sent after the last fault of seed ${settings.seed}`] : []),
  ]
}
