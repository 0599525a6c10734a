// Invariants 3 and 4: the ledger is consistent, and nobody pays for a call that failed.

import { type ClientLine, type Histories, recorded } from './histories.ts'

export function ledgerBalances(histories: Histories): readonly string[] {
  const entries = Map.groupBy(recorded(histories, 'entry'), ({ accountId }) => accountId)
  const verifications = recorded(histories, 'verification')
  const pendingSums = new Map<number, number>()
  for (const { accountId, state, price } of verifications) {
    const open = state === 'succeeded' || state === 'failed' ? 0 : price
    pendingSums.set(accountId, (pendingSums.get(accountId) ?? 0) + open)
  }
  const accountFaults = recorded(histories, 'account').flatMap(({ id, balance, held }) => {
    const own = entries.get(id) ?? []
    const ledgerAccount = (name: string) =>
      own.reduce((sum, { from, to, amount }) => sum + (to === name ? amount : 0) - (from === name ? amount : 0), 0)
    const sum = ['external', 'available', 'held', 'revenue'].reduce((total, name) => total + ledgerAccount(name), 0)
    return [
      ...(sum === 0 ? [] : [`the entries of account ${id} sum to ${sum}`]),
      ...(balance === ledgerAccount('available')
        ? []
        : [`account ${id} has ${balance}, its entries say ${ledgerAccount('available')}`]),
      ...(held === ledgerAccount('held')
        ? []
        : [`account ${id} holds ${held}, its entries say ${ledgerAccount('held')}`]),
      ...(held === (pendingSums.get(id) ?? 0)
        ? []
        : [`account ${id} holds ${held}, its open calls ${pendingSums.get(id) ?? 0}`]),
      ...(balance >= 0 && held >= 0 ? [] : [`account ${id} is negative: ${balance}, ${held}`]),
    ]
  })
  return [...accountFaults, ...entryFaults(histories)]
}

// A verification with a price has one hold, and once it is final one capture or release.
function entryFaults(histories: Histories): readonly string[] {
  const entries = Map.groupBy(recorded(histories, 'entry'), ({ id }) => id)
  const faults = recorded(histories, 'verification').flatMap(({ id, price, state }) => {
    const actual = (entries.get(id) ?? []).map(({ from, to, amount }) => `${from}>${to}:${amount}`)
    entries.delete(id)
    const end =
      state === 'succeeded' ? [`held>revenue:${price}`] : state === 'failed' ? [`held>available:${price}`] : []
    const expected = price === 0 ? [] : [`available>held:${price}`, ...end]
    return actual.toSorted().join() === expected.toSorted().join()
      ? []
      : [`${id} is ${state} and its entries are ${actual.join(' ') || 'none'}`]
  })
  const foreign = [...entries.values()].flat().filter(({ from, to }) => from !== 'external' || to !== 'available')
  return [...faults, ...foreign.map(({ id }) => `entry ${id} belongs to no verification`)]
}

export function nothingForNothing(histories: Histories): readonly string[] {
  return [...unmadeFaults(histories), ...madeFaults(histories), ...refusedFaults(histories), ...lateDials(histories)]
}

// A failed call costs nothing, in the ledger and in responses.
function unmadeFaults(histories: Histories): readonly string[] {
  const failed = new Set(
    recorded(histories, 'verification')
      .filter(({ state }) => state === 'failed')
      .map(({ id }) => id),
  )
  const entries = recorded(histories, 'entry').filter(({ id }) => failed.has(id))
  const released = new Set(entries.filter(({ from, to }) => from === 'held' && to === 'available').map(({ id }) => id))
  return [
    ...entries.filter(({ to }) => to === 'revenue').map(({ id }) => `${id} failed and was charged`),
    ...entries
      .filter(({ to, id }) => to === 'held' && !released.has(id))
      .map(({ id }) => `${id} failed and its hold was not released`),
    ...histories.client
      .filter(({ response }) => response?.callStatus === 0 && response.cost !== 0)
      .map(({ response }) => `${response?.vendorId} failed and its response says it cost ${response?.cost}`),
  ]
}

// The carrier saw every call that succeeded: it rang, a spoken code was answered, an inbound call came in.
function madeFaults(histories: Histories): readonly string[] {
  const seen = new Set(
    histories.carrier.map((line) => (line.type === 'dialog' ? `${line.phone} ${line.event}` : `${line.phone} called`)),
  )
  // A phone that is answered at once has rung.
  const proof = { flash: ['180', '200'], mix: ['180', '200'], voice: ['200'], inbound: ['called'] } as const
  const isSeen = (phone: string, events: readonly string[]) => events.some((event) => seen.has(`${phone} ${event}`))
  return recorded(histories, 'verification')
    .filter(({ state, mode, phone }) => state === 'succeeded' && !isSeen(phone, proof[mode]))
    .map(({ id, mode }) => `${id} succeeded as ${mode} and the carrier did not see it`)
}

// An Asterisk that was frozen for a few seconds dials when it resumes.
const lateDialMs = 5_000

// Nothing is dialled after its end: its hold was released, and another service may be calling the number.
function lateDials(histories: Histories): readonly string[] {
  const byPhone = Map.groupBy(recorded(histories, 'verification'), ({ phone }) => phone)
  return histories.carrier
    .filter((line) => line.type === 'dialog' && line.event === 'INVITE')
    .filter(({ atMs, phone }) =>
      (byPhone.get(phone) ?? []).every(
        ({ acceptedAtMs, endedAtMs }) => atMs < acceptedAtMs || atMs > (endedAtMs ?? atMs) + lateDialMs,
      ),
    )
    .map(({ phone }) => `${phone} was dialled after its verification ended`)
}

// For every service and number, no more calls were dialled or expected than were requested and not refused. Code 5 may stand
// for a response of the database that was lost: such an inbound request may have been written, but no client has its number,
// so it must expire uncalled.
function refusedFaults(histories: Histories): readonly string[] {
  const asked = Map.groupBy(
    histories.client.filter(({ method }) => method !== 'getInfo'),
    ({ serviceId, phone, method }) => `${serviceId} ${phone} ${method}`,
  )
  const done = Map.groupBy(
    recorded(histories, 'verification').filter(({ mode, attempt }) => mode === 'inbound' || attempt > 0),
    ({ serviceId, phone, mode }) => `${serviceId} ${phone} ${mode === 'inbound' ? 'inboundCallWaiting' : 'initCall'}`,
  )
  return [...done].flatMap(([request, all]) => {
    const tries = asked.get(request) ?? []
    const requests = Map.groupBy(tries, ({ unique }, at) => unique ?? String(at))
    const standing = [...requests.values()].filter((own) => own.some((line) => !isRefused(line))).length
    const uncalled = all.filter(({ mode, reason }) => mode === 'inbound' && reason === 'not-called').length
    const perhapsWritten = tries.filter(({ response }) => response?.code === 5).length
    return all.length <= standing + Math.min(uncalled, perhapsWritten)
      ? []
      : [`${request}: ${all.length} were started, ${standing} were requested and not refused`]
  })
}

function isRefused({ response, isUnsent }: ClientLine): boolean {
  return isUnsent === true || (response?.code !== undefined && response.code !== 500)
}
