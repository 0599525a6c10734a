// Whether a trunk carries calls, and if not, why. One node sees the carrier's replies to OPTIONS and REGISTER, its TCP or TLS
// connection and the calls it has placed; from these comes one cause, the first of this order that holds:
//
//   our side         no Asterisk, no transport on this node, or Asterisk refuses the trunk's settings
//   the connection   the host name, the TCP port, the certificate; no reply to OPTIONS
//   who we are       registration refused, wrong password, our address not allowed
//   calls            refused or answered by the carrier itself since the last phone that rang, or late to ring
//
// Several nodes see one trunk: the worst fresh view counts. An old view is worth nothing, so it is never shown as health.

import { carrierStates, type trunkCauses, type trunkStates } from '@ringproof/contract/lists/trunks.ts'
import type { TrunkFault } from './trunk.ts'

export type TrunkCause = (typeof trunkCauses)[number]
export type HealthState = (typeof trunkStates)[number]

// From Asterisk's copies of SIP messages. Undefined: not seen yet.
export type TrunkSignals = {
  readonly optionsStatus: number | undefined
  readonly rttMs: number | undefined
  // Since the first OPTIONS that has no reply.
  readonly silentMs: number | undefined
  readonly registerStatus: number | undefined
  // Whether the refused REGISTER had our password in it.
  readonly registerHadPassword: boolean
  // Where our OPTIONS came from: as the carrier says, or as this machine sent it.
  readonly ourAddress: string | undefined
}

export type ConnectionFault = 'host-unknown' | 'port-closed' | 'certificate'

// The calls of one node over one trunk in the last five minutes.
export type RecentCalls = {
  readonly dialled: number
  readonly rang: number
  readonly postDialMsP95: number | null
  // Flash calls that somebody or something answered: they are billed.
  readonly answered: number
  // Refusals by SIP status; `none` for no final reply.
  readonly refusals: Readonly<Record<string, number>>
  // Since the last phone that rang: refusals that are not the subscriber's, and answers without ringing.
  readonly streak: Readonly<Record<string, number>>
}

export type TrunkObservation = {
  readonly fault: TrunkFault | undefined
  readonly connection: ConnectionFault | undefined
  readonly signals: TrunkSignals
  readonly calls: RecentCalls
}

export type NodeView = {
  readonly state: (typeof carrierStates)[number]
  readonly cause: TrunkCause
  // The SIP status that shows it.
  readonly status: number | null
}

export const noSignals: TrunkSignals = {
  optionsStatus: undefined,
  rttMs: undefined,
  silentMs: undefined,
  registerStatus: undefined,
  registerHadPassword: false,
  ourAddress: undefined,
}

export const answeredUnseen = 'answered'
// With T1 of 100 ms an OPTIONS has been repeated five times by then.
const silentMs = 3_000
const streakMin = 5
// A number that does not exist is the caller's mistake until it is every number.
const unknownNumberStreakMin = 10
const lateRingingMs = 8_000
const rangMin = 5

export function evaluateTrunkHealth({ fault, connection, signals, calls }: TrunkObservation): NodeView {
  if (fault === 'lost') return down('no-asterisk')
  if (fault === 'unbound') return down('no-transport')
  if (connection !== undefined) return down(connection)
  if (fault === 'refused-object') return down('bad-settings')
  if (fault === 'unknown') return down('not-loaded')
  if (fault === 'silent' || (signals.silentMs ?? 0) >= silentMs) return down('silent')
  return registrationView(fault, signals) ?? callsView(signals, calls) ?? fine
}

const fine: NodeView = { state: 'healthy', cause: 'fine', status: null }

function down(cause: TrunkCause, status: number | null = null): NodeView {
  return { state: 'down', cause, status }
}

function registrationView(fault: TrunkFault | undefined, signals: TrunkSignals): NodeView | undefined {
  const { registerStatus: status, registerHadPassword } = signals
  const isRefused = status !== undefined && status >= 400 && (registerHadPassword || (status !== 401 && status !== 407))
  const mayBe = fault === 'rejected' || fault === 'unregistered'
  if (mayBe && isRefused) {
    if (status >= 500) return down('overloaded', status)
    const isPassword = registerHadPassword && (status === 401 || status === 403 || status === 407)
    return down(isPassword ? 'wrong-password' : 'registration-refused', status)
  }
  if (fault === 'rejected') return down('registration-refused', status ?? null)
  return fault === 'unregistered' ? down('registering') : undefined
}

function callsView({ optionsStatus }: TrunkSignals, calls: RecentCalls): NodeView | undefined {
  const [kind = '', count = 0] = Object.entries(calls.streak).toSorted(([, one], [, other]) => other - one)[0] ?? []
  const cause = streakCauses[kind] ?? (/^5\d\d$/.test(kind) ? 'carrier-error' : undefined)
  const status = /^\d+$/.test(kind) ? Number(kind) : null
  const isLong = count >= (kind === '404' ? unknownNumberStreakMin : streakMin)
  if (cause !== undefined && isLong) return down(cause, status)
  // Some carriers refuse every OPTIONS and take calls: only without a call that rang does it say something.
  if (optionsStatus === 503) return down('overloaded', 503)
  const isUnknownToCarrier = optionsStatus === 401 || optionsStatus === 403 || optionsStatus === 407
  if (isUnknownToCarrier && calls.rang === 0) {
    const isCertain = ['401', '403', '407'].some((refusal) => calls.streak[refusal] !== undefined)
    return { state: isCertain ? 'down' : 'degraded', cause: 'address-refused', status: optionsStatus }
  }
  const isLate = calls.rang >= rangMin && (calls.postDialMsP95 ?? 0) >= lateRingingMs
  return isLate ? { state: 'degraded', cause: 'late-ringing', status: null } : undefined
}

const streakCauses: Readonly<Record<string, TrunkCause>> = {
  401: 'wrong-password',
  407: 'wrong-password',
  403: 'address-refused',
  404: 'number-format',
  484: 'number-format',
  488: 'codec',
  606: 'codec',
  503: 'overloaded',
  [answeredUnseen]: 'answered-unseen',
}

// What the operator reads in the CLI; the console has these sentences in its own words.
export function reasonText({ cause, status }: NodeView): string | undefined {
  const refused = status === null ? '' : `: SIP ${status}`
  const texts: Partial<Record<TrunkCause, string>> = {
    'host-unknown': 'its host name does not resolve',
    'port-closed': 'the carrier refuses the connection',
    certificate: 'the certificate of the carrier is not trusted',
    'wrong-password': `the carrier rejects our registration or password${refused}`,
    'registration-refused': `the carrier rejects our registration${refused}`,
    'address-refused': `the carrier does not accept our address or caller ID${refused}`,
    overloaded: `the carrier is overloaded${refused}`,
    'carrier-error': `calls fail at the carrier${refused}`,
    'number-format': `the carrier knows none of the dialled numbers${refused}`,
    codec: `the carrier accepts none of our codecs${refused}`,
    'answered-unseen': 'the carrier answers calls itself before a phone rings',
    'late-ringing': `phones ring more than ${lateRingingMs / 1_000} s after dialling`,
  }
  return texts[cause]
}

export type NodeReport = NodeView & {
  readonly node: string
  readonly ageMs: number
  readonly changedAgoMs: number
}

type TrunkHealth = {
  readonly state: HealthState
  readonly cause: TrunkCause
  readonly status: number | null
  // The node that sees it, if not all do.
  readonly node: string | null
  readonly changedAgoMs: number | null
  // Of the newest report, if all of them are old.
  readonly reportAgeMs: number | null
}

// Nodes report every two seconds.
export const reportAgeMsMax = 10_000

type HealthFacts = {
  readonly trunk: { readonly isOn: boolean; readonly isDraining: boolean; readonly address: string }
  readonly reports: readonly NodeReport[]
  readonly isStopped: boolean
  // The digits that the operator saw in the last test call were not those that were sent.
  readonly isCallerIdChanged: boolean
}

export function trunkHealth({ trunk, reports, isStopped, isCallerIdChanged }: HealthFacts): TrunkHealth {
  const seen = seenHealth(trunk.address, reports)
  const bare = { status: null, node: null, changedAgoMs: null, reportAgeMs: null }
  if (!trunk.isOn) return { ...bare, state: 'disabled', cause: 'disabled' }
  if (trunk.isDraining) return { ...bare, state: 'draining', cause: 'draining' }
  if (seen.state === 'healthy' && isStopped) return { ...bare, state: 'down', cause: 'stopped' }
  if (seen.state === 'healthy' && isCallerIdChanged) return { ...seen, state: 'degraded', cause: 'caller-id-changed' }
  return seen
}

function seenHealth(address: string, reports: readonly NodeReport[]): TrunkHealth {
  const bare = { status: null, node: null, changedAgoMs: null, reportAgeMs: null }
  if (address === '') return { ...bare, state: 'healthy', cause: 'simulated' }
  const fresh = reports.filter(({ ageMs }) => ageMs <= reportAgeMsMax)
  const [worst] = fresh.toSorted((one, other) => carrierStates.indexOf(one.state) - carrierStates.indexOf(other.state))
  if (!worst) {
    const ages = reports.map(({ ageMs }) => ageMs)
    return { ...bare, state: 'down', cause: 'no-report', reportAgeMs: ages.length > 0 ? Math.min(...ages) : null }
  }
  const { state, cause, status, node, changedAgoMs } = worst
  // One node of several that cannot reach the carrier: calls go over the others.
  const isEverywhere = fresh.every((report) => report.cause === cause)
  return {
    state: isEverywhere || state !== 'down' ? state : 'degraded',
    cause,
    status,
    node: isEverywhere ? null : node,
    changedAgoMs,
    reportAgeMs: null,
  }
}
