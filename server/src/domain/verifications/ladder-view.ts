// A ladder as /v2 shows it, the verification of the Verify API. It has no code but that of a test, and a number only masked.

import type { Call, PublicVerification, Verification } from '@ringproof/contract/v2/verification.ts'
import { secondOfVerification, type VerificationId } from '../core/slot.ts'
import { formatDecimal, type MicroAmount } from '../money/money.ts'
import type { Ladder, LadderCall } from './ladder.ts'
import type { Person } from './person.ts'
import { chargeOf } from './verification.ts'
import { nameOfVerification } from './verification-name.ts'

export type LadderSource = {
  readonly ladder: Ladder
  // Oldest first.
  readonly calls: readonly LadderCall[]
  // Of its first call.
  readonly person: Person
  readonly currency: string
}

export function publicVerification({ ladder, calls, person }: LadderSource): PublicVerification {
  return {
    id: nameOfVerification(ladder.id),
    object: 'verification',
    status: ladder.state,
    ...(ladder.reason === null ? {} : { reason: ladder.reason }),
    phone: `+${person.phoneMask}`,
    locale: ladder.language,
    code_length: ladder.hasCode ? 4 : 0,
    checks_left: ladder.checksMax - ladder.checks,
    calls: calls.map(callOf),
    channels_left: ladder.state === 'pending' ? [...ladder.modesLeft] : [],
    ...(isWaitingToCall(ladder) ? { next_call_at: ladder.dueAt.toISOString() } : {}),
    created_at: ladder.createdAt.toISOString(),
    expires_at: ladder.expiresAt.toISOString(),
  }
}

export function verificationOf(source: LadderSource): Verification {
  const { ladder, calls, person, currency } = source
  const [first] = calls
  const cost = calls.reduce((sum, call) => sum + chargeOf(call), 0) as MicroAmount
  return {
    ...publicVerification(source),
    // What is held counts as well: it is charged unless the call fails.
    calls: calls.map((call) => ({ ...callOf(call), cost: moneyOf(chargeOf(call), currency) })),
    ...(first ? { country: first.country } : {}),
    ...(first?.phoneInfo?.mnp ? { provider: first.phoneInfo.mnp } : {}),
    ...(ladder.endedAt === null ? {} : { ended_at: ladder.endedAt.toISOString() }),
    ...(ladder.state === 'approved' ? { approved_by: ladder.approvedCall === null ? 'code' : 'call' } : {}),
    is_test: ladder.isTest,
    cost: moneyOf(cost, currency),
    ...(person.client === '' ? {} : { reference: person.client }),
    metadata: { ...person.metadata },
    ...(ladder.skipped.length === 0
      ? {}
      : { skipped: ladder.skipped.map(({ mode, code }) => ({ channel: mode, code })) }),
    ...(ladder.testCode === null ? {} : { test: { code: ladder.testCode } }),
  }
}

function isWaitingToCall({ state, modesLeft, dueAt, expiresAt }: Ladder): boolean {
  return state === 'pending' && modesLeft.length > 0 && dueAt < expiresAt
}

function callOf(call: LadderCall): Call {
  return {
    channel: call.mode,
    status: callStatus(call),
    ...(call.reason === null ? {} : { reason: call.reason }),
    started_at: startedAt(call.id),
    ...(call.endedAt === null ? {} : { ended_at: call.endedAt.toISOString() }),
    ...(isWaiting(call) ? { confirmation_number: numberToCall(call) } : {}),
  }
}

function callStatus({ mode, state, dialledAt, rangAt }: LadderCall): Call['status'] {
  if (state === 'succeeded') return 'reached'
  if (state === 'failed') return 'failed'
  if (mode === 'inbound') return 'waiting'
  if (rangAt !== null) return 'ringing'
  return dialledAt === null ? 'starting' : 'dialling'
}

function isWaiting(call: LadderCall): boolean {
  return call.mode === 'inbound' && call.state === 'accepted'
}

function numberToCall({ callerNumber, endUntil }: LadderCall): NonNullable<Call['confirmation_number']> {
  const digits = String(callerNumber)
  return {
    e164: `+${digits}`,
    national: nationalOf(digits),
    uri: `tel:+${digits}`,
    expires_at: endUntil.toISOString(),
  }
}

// As people of the country write it; other countries write theirs with the plus.
function nationalOf(digits: string): string {
  const [, area, first, second, third] = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(digits) ?? []
  return area === undefined ? `+${digits}` : `8 (${area}) ${first}-${second}-${third}`
}

// At least two decimals.
function moneyOf(amount: MicroAmount, currency: string) {
  const [whole = '0', decimals = ''] = formatDecimal(amount).split('.')
  return { amount: `${whole}.${decimals.padEnd(2, '0')}`, currency }
}

function startedAt(id: VerificationId): string {
  return new Date(secondOfVerification(id) * 1_000).toISOString()
}
