// Invariants 2, 7, 8 and 9: idempotency, webhooks, tenant isolation and number limits.

import {
  callsPerDayOverAll,
  cooldownMs,
  reservationMs,
  shortWindowMs,
} from '../../server/src/domain/verifications/number-limits.ts'
import { callDeadlineMs, startDeadlineMs } from '../../server/src/domain/verifications/verification.ts'
import { type Histories, type RecordLine, recorded } from './histories.ts'

type Verification = Extract<RecordLine, { type: 'verification' }>
type CountedLine = Extract<RecordLine, { type: 'counted' }>

const undone = 'not-dispatched'

export function oneKeyOneCall(histories: Histories): readonly string[] {
  return [...keyFaults(histories), ...ringFaults(histories), ...chargeFaults(histories)]
}

function keyFaults(histories: Histories): readonly string[] {
  const returned = histories.client.flatMap(({ method, serviceId, unique, response }) =>
    method === 'initCall' && unique !== undefined && response?.vendorId !== undefined
      ? [[`${serviceId} ${unique}`, response.vendorId] as const]
      : [],
  )
  const kept = recorded(histories, 'verification').flatMap(({ serviceId, unique, id, reason }) =>
    unique === undefined || reason === undone ? [] : [[`${serviceId} ${unique}`, id] as const],
  )
  const digests = recorded(histories, 'key').map(({ serviceId, digest, id }) => [`${serviceId} ${digest}`, id] as const)
  return [
    ...several(returned).map(([key, ids]) => `key ${key} returned ${ids.join(' and ')}`),
    ...several(kept).map(([key, ids]) => `key ${key} has the verifications ${ids.join(' and ')}`),
    ...several(digests).map(([key, ids]) => `the digest ${key} is kept for ${ids.join(' and ')}`),
  ]
}

function several(pairs: readonly (readonly [string, number])[]): readonly (readonly [string, readonly number[]])[] {
  const groups = Map.groupBy(pairs, ([key]) => key)
  return [...groups]
    .map(([key, all]) => [key, [...new Set(all.map(([, id]) => id))]] as const)
    .filter(([, ids]) => ids.length > 1)
}

// An attempt is at most one INVITE, and a verification rings at most once.
function ringFaults(histories: Histories): readonly string[] {
  const dialogs = histories.carrier.filter((line) => line.type === 'dialog')
  const callsOf = (events: readonly string[]) =>
    Map.groupBy(
      new Map(dialogs.filter(({ event }) => events.includes(event)).map((line) => [line.callId, line])).values(),
      ({ phone }) => phone,
    )
  const byPhone = Map.groupBy(
    recorded(histories, 'verification').filter(({ mode }) => mode !== 'inbound'),
    ({ phone }) => phone,
  )
  const own = (phone: string) => byPhone.get(phone) ?? []
  const dialled = [...callsOf(['INVITE'])].flatMap(([phone, calls]) => {
    const attempts = own(phone).reduce((sum, { attempt }) => sum + attempt, 0)
    return calls.length <= attempts ? [] : [`${phone} was dialled ${calls.length} times in ${attempts} attempts`]
  })
  const rang = [...callsOf(['180', '200'])].flatMap(([phone, calls]) => {
    const count = own(phone).filter(({ attempt }) => attempt > 0).length
    return calls.length <= count ? [] : [`${phone} rang ${calls.length} times for ${count} verifications`]
  })
  return [...dialled, ...rang]
}

// What an account spent is what its successful verifications cost.
function chargeFaults(histories: Histories): readonly string[] {
  const succeeded = recorded(histories, 'verification').filter(({ state }) => state === 'succeeded')
  return recorded(histories, 'account').flatMap(({ id, balance, held }) => {
    const spent = (histories.settings.funded[id] ?? 0) - balance - held
    const cost = succeeded.reduce((sum, { accountId, price }) => sum + (accountId === id ? price : 0), 0)
    return spent <= cost ? [] : [`account ${id} was charged ${spent} for what cost ${cost}`]
  })
}

export function webhooksArrive(histories: Histories): readonly string[] {
  const webhooks = new Map(recorded(histories, 'webhook').map((one) => [one.id, one]))
  const proved = recorded(histories, 'verification').filter(
    ({ mode, state }) => mode === 'inbound' && state === 'succeeded',
  )
  const received = Map.groupBy(histories.receiver, ({ callId }) => callId)
  const provedById = new Map(proved.map((one) => [one.id, one]))
  const missing = proved.flatMap(({ id }) => {
    const state = webhooks.get(id)?.state
    if (state === undefined) return [`${id} was matched and has no webhook`]
    if (state === 'due') return [`the webhook of ${id} is neither delivered nor dead`]
    const wasTaken = received.get(id)?.some(({ status }) => status < 300) === true
    return state === 'delivered' && !wasTaken ? [`the webhook of ${id} is marked delivered and no receiver got it`] : []
  })
  const strange = histories.receiver.flatMap(({ callId, webhookId, isSigned, clientNumber }) => {
    const one = provedById.get(callId)
    return [
      ...(one ? [] : [`a webhook reports ${callId}, which no call matched`]),
      ...(one && one.phone !== clientNumber ? [`the webhook of ${callId} has another number`] : []),
      ...(webhookId === String(callId) ? [] : [`the webhook of ${callId} has another ID`]),
      ...(isSigned ? [] : [`the webhook of ${callId} is not signed`]),
    ]
  })
  return [...missing, ...strange]
}

export function tenantsAreApart(histories: Histories): readonly string[] {
  const owners = new Map(recorded(histories, 'verification').map(({ id, serviceId }) => [id, serviceId]))
  const services = new Map(recorded(histories, 'service').map(({ id, accountId }) => [id, accountId]))
  const leaked = histories.client.flatMap(({ serviceId, response, method }) => {
    const owner = response?.vendorId === undefined ? undefined : owners.get(response.vendorId)
    return owner === undefined || owner === serviceId
      ? []
      : [`${method} showed service ${serviceId} the verification ${response?.vendorId} of ${owner}`]
  })
  const moved = recorded(histories, 'verification')
    .filter(({ serviceId, accountId }) => services.get(serviceId) !== accountId)
    .map(({ id }) => `${id} is on the account of another service`)
  // A foreign ID and a nonexistent one get the same response.
  const strange = histories.client
    .filter(
      ({ kind, response }) =>
        kind === 'foreign' && response !== undefined && response.status < 500 && response.code !== 10,
    )
    .map(
      ({ serviceId, response }) => `service ${serviceId} requested a foreign verification and got ${response?.status}`,
    )
  return [...leaked, ...moved, ...strange]
}

export function limitsHold(histories: Histories): readonly string[] {
  const { timeScale } = histories.settings
  const services = new Map(recorded(histories, 'service').map((one) => [one.id, one]))
  const lines = Map.groupBy(recorded(histories, 'counted'), ({ phone }) => phone)
  const standing = recorded(histories, 'verification').filter(
    ({ mode, reason }) => mode !== 'inbound' && reason !== undone,
  )
  return [...Map.groupBy(standing, ({ phone }) => phone)].flatMap(([phone, all]) => {
    const { calls, uncounted } = countedCalls(all, lines.get(phone) ?? [], timeScale)
    const own = [...Map.groupBy(calls, ({ serviceId }) => serviceId)].flatMap(([id, ownCalls]) => [
      ...saturated(ownCalls, shortWindowMs * timeScale, services.get(id)?.calls10Minutes ?? 0),
      ...saturated(ownCalls, 86_400_000 * timeScale, services.get(id)?.callsDay ?? 0),
    ])
    const faults = [
      ...tooSoon(calls, timeScale),
      ...own,
      ...saturated(calls, 86_400_000 * timeScale, callsPerDayOverAll),
    ]
    return [...faults, ...uncounted.map(({ id }) => `${id} was dialled and never counted`)].map(
      (fault) => `${phone}: ${fault}`,
    )
  })
}

// Each with the time at which its number was leased. With two databases that is not the time of acceptance: the lease
// is taken up to five seconds earlier, or by a replay as long as the call may start.
function countedCalls(
  all: readonly Verification[],
  lines: readonly CountedLine[],
  timeScale: number,
): { readonly calls: readonly Verification[]; readonly uncounted: readonly Verification[] } {
  const free = lines.toSorted((a, b) => a.atMs - b.atMs)
  const calls: Verification[] = []
  const uncounted: Verification[] = []
  for (const call of all.toSorted((a, b) => a.evaluatedAtMs - b.evaluatedAtMs)) {
    const [firstMs, lastMs] = [
      call.evaluatedAtMs - reservationMs,
      call.evaluatedAtMs + startDeadlineMs * timeScale + reservationMs,
    ]
    const at = free.findIndex(
      ({ token, serviceId, atMs }) =>
        token === call.id || (token < 0 && serviceId === call.serviceId && atMs >= firstMs && atMs <= lastMs),
    )
    const [line] = at === -1 ? [] : free.splice(at, 1)
    if (line) calls.push({ ...call, evaluatedAtMs: line.atMs })
    else if (call.attempt > 0) uncounted.push(call)
  }
  return { calls: calls.toSorted((a, b) => a.evaluatedAtMs - b.evaluatedAtMs), uncounted }
}

function tooSoon(calls: readonly Verification[], timeScale: number): readonly string[] {
  return calls.slice(1).flatMap((call, index) => {
    const before = calls[index]
    if (!before) return []
    const gapMs = call.evaluatedAtMs - before.evaluatedAtMs
    const overAtMs = Math.min(
      before.endedAtMs ?? Number.POSITIVE_INFINITY,
      before.evaluatedAtMs + callDeadlineMs * timeScale,
    )
    return [
      ...(gapMs >= cooldownMs * timeScale ? [] : [`${call.id} came ${Math.round(gapMs)} ms after ${before.id}`]),
      ...(call.evaluatedAtMs >= overAtMs ? [] : [`${call.id} came while ${before.id} was going on`]),
    ]
  })
}

// A window starts with a call; this many more may follow within it.
function saturated(calls: readonly Verification[], stretchMs: number, max: number): readonly string[] {
  return calls.flatMap((first, at) => {
    const last = calls[at + max]
    return last && last.evaluatedAtMs - first.evaluatedAtMs < stretchMs
      ? [`${max + 1} calls from ${first.id} to ${last.id} within ${stretchMs} ms`]
      : []
  })
}
