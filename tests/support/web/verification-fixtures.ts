// Verifications for the tests of the pages. Numbers belong to nobody.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { hourMs } from '../../../server/src/domain/values/time.ts'

type Row = WebOutput<'verifications'>['verifications'][number]

export function verificationAnswers(nowMs: number) {
  return {
    verifications: verifications(nowMs),
    'verification-counts': verificationCounts(nowMs),
    verification: verification(nowMs),
    'verification-messages': verificationMessages(nowMs),
    'repeat-as-test': {
      status: 200,
      body: '{"status":true}',
      request: 'GET /v1.0/initCall',
      ms: 31,
      verificationId: 3_605_214_872_065,
      number: '79000000113',
    },
    statistics: statistics(nowMs),
    overview: { balance: 3_118.2, held: 0.8, daysLeft: 2, failedWebhooks: 3 },
  }
}

export function noVerifications(nowMs: number) {
  return {
    verifications: { verifications: [], nextBefore: null },
    'verification-counts': { ...verificationCounts(nowMs), counts: [] },
    statistics: noStatistics(nowMs),
    overview: { balance: 0, held: 0, daysLeft: null, failedWebhooks: 0 },
  }
}

function verifications(nowMs: number): WebOutput<'verifications'> {
  const rows: readonly Partial<Row>[] = [
    { status: 'ringing', isCodeHidden: true, code: null, charged: 0, ringDelayMs: 1_900, client: 'user 88214' },
    { status: 'checking', isCodeHidden: true, code: null, charged: 0, ringDelayMs: null, client: 'user 88213' },
    { client: 'user 88209' },
    { mode: 'inbound', status: 'waiting', code: null, charged: 0, ringDelayMs: null, client: '' },
    {
      status: 'failed',
      reason: 'refused',
      sipStatus: 486,
      charged: 0,
      ringDelayMs: null,
      provider: 'Volga',
      region: 'Kazan',
    },
    { mode: 'voice', reason: 'spoken', charged: 1.2, ringDelayMs: 3_400, provider: 'Amber', region: 'Perm' },
    { isTest: true, charged: 0, provider: '', region: '', phoneMask: '7900***0001' },
    { status: 'failed', reason: 'no-ringing', sipStatus: null, charged: 0, ringDelayMs: null },
    { mode: 'mix', charged: 1.5, client: 'order 2026/11/16-000184' },
    { status: 'failed', reason: 'not-started', sipStatus: null, charged: 0, ringDelayMs: null, provider: 'Cedar' },
  ]
  return {
    verifications: rows.map((row, index) => ({ ...usual(nowMs, index), ...row })),
    nextBefore: 233_715_489_767_426,
  }
}

function usual(nowMs: number, index: number): Row {
  return {
    id: 233_715_489_767_435 - index,
    // A code is seen ten minutes after the end.
    at: nowMs - 4_000 - index * 47_000 - (index < 2 ? 0 : 11 * 60_000),
    serviceId: 1024,
    serviceName: 'My shop',
    phoneMask: `7000***${String(6_671 - index * 313).padStart(4, '0')}`,
    client: `user ${88_209 - index}`,
    mode: 'flash',
    status: 'succeeded',
    isTest: false,
    code: String(7_043 + index * 137).slice(-4),
    isCodeHidden: false,
    country: 'RU',
    provider: 'Polar',
    region: 'Moscow',
    reason: 'rang',
    sipStatus: null,
    ringDelayMs: 2_098 + index * 90,
    charged: 0.4,
  }
}

function verificationCounts(nowMs: number): WebOutput<'verification-counts'> {
  const until = Math.ceil(nowMs / hourMs) * hourMs
  const from = until - 24 * hourMs
  return {
    by: 'hour',
    from,
    until,
    counts: Array.from({ length: 24 }, (_, hour) => {
      const calls = Math.round(140 + 90 * Math.sin((hour / 24) * 2 * Math.PI - 2))
      const failed = hour === 19 ? Math.round(calls * 0.4) : Math.round(calls * 0.08)
      const open = hour === 23 ? 6 : 0
      return {
        at: from + hour * hourMs,
        calls,
        failed,
        succeeded: calls - failed - open,
        charged: (calls - failed) * 0.4,
      }
    }),
  }
}

function verification(nowMs: number): WebOutput<'verification'> {
  const acceptedAt = nowMs - 20 * 60_000
  return {
    ...usual(nowMs, 0),
    id: 233_715_489_767_425,
    at: acceptedAt,
    acceptedAt,
    dialledAt: acceptedAt + 88,
    rangAt: acceptedAt + 2_098,
    answeredAt: null,
    endedAt: acceptedAt + 8_139,
    endUntil: acceptedAt + 55_000,
    ringMs: 6_004,
    endedBy: 'us',
    assurance: null,
    atFault: null,
    attempt: 2,
    callerStart: '7000000',
    callerEnd: '7043',
    unique: '5f2e7d41c',
    price: 0.4,
    firstId: null,
    repeatIds: [],
    ledger: [
      { at: acceptedAt + 4, kind: 'held', amount: 0.4, sequence: 1 },
      { at: acceptedAt + 8_150, kind: 'captured', amount: 0.4, sequence: 2 },
    ],
    webhooks: [],
  }
}

function statistics(nowMs: number): WebOutput<'statistics'> {
  const { by, from, until, counts } = verificationCounts(nowMs)
  const total = {
    calls: counts.reduce((sum, { calls }) => sum + calls, 0),
    succeeded: counts.reduce((sum, { succeeded }) => sum + succeeded, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    repeats: 107,
    charged: 1_216.4,
    ringP50Ms: 2_500,
    ringP95Ms: 5_000,
  }
  const provider = (name: string, dialled: number, rang: number, usualShare: number | null, hasFallen = false) => ({
    provider: name,
    dialled,
    rang,
    low: rang / dialled - 30 / dialled,
    high: Math.min(1, rang / dialled + 30 / dialled),
    usual: usualShare,
    hasFallen,
    advice: hasFallen ? { mode: 'mix' as const, price: 1.5, flashPrice: 0.4 } : null,
  })
  return {
    by,
    from,
    until,
    total,
    compared: { from: from - (until - from), until: from },
    before: { ...total, calls: 3_164, succeeded: 2_950, failed: 214, charged: 1_174.8, ringP50Ms: 2_500 },
    bins: counts.map((count, hour) => ({
      ...count,
      repeats: 4,
      ringP50Ms: hour === 19 ? 3_000 : 2_000 + (hour % 3) * 500,
      ringP95Ms: hour === 19 ? 8_000 : 4_000 + (hour % 4) * 500,
    })),
    providers: [
      provider('Polar', 1_204, 867, 0.93, true),
      provider('Volga', 988, 931, 0.945),
      provider('Amber', 701, 664, 0.941),
      provider('Cedar', 210, 188, 0.92),
      provider('', 41, 36, null),
    ],
    providerModes: [{ provider: 'Cedar', mode: 'voice', services: [1024] }],
    reasons: [
      { reason: 'refused', calls: 176 },
      { reason: 'no-ringing', calls: 81 },
      { reason: 'not-answered', calls: 34 },
      { reason: 'not-called', calls: 20 },
      { reason: 'silence', calls: 8 },
    ],
    modes: [
      { mode: 'flash', calls: 2_700, succeeded: 2_480, charged: 992 },
      { mode: 'voice', calls: 160, succeeded: 131, charged: 157.2 },
      { mode: 'mix', calls: 60, succeeded: 45, charged: 67.2 },
    ],
    services: [
      { id: 1_024, name: 'My shop', calls: 2_430, succeeded: 2_200, charged: 880 },
      { id: 1_031, name: 'Delivery app', calls: 930, succeeded: 840, charged: 336.4 },
    ],
    hours: Array.from({ length: 168 }, (_, cell) => {
      const [weekday, hour] = [Math.floor(cell / 24) + 1, cell % 24]
      const failed = weekday === 1 && hour >= 17 && hour <= 19 ? 6 : (cell * 7) % 3
      return { weekday, hour, calls: 20, succeeded: 20 - failed, failed }
    }),
  }
}

function noStatistics(nowMs: number): WebOutput<'statistics'> {
  const none = { calls: 0, succeeded: 0, failed: 0, repeats: 0, charged: 0, ringP50Ms: null, ringP95Ms: null }
  const lists = { bins: [], providers: [], providerModes: [], reasons: [], modes: [], services: [], hours: [] }
  return { ...statistics(nowMs), total: none, before: none, ...lists }
}

function verificationMessages(nowMs: number): WebOutput<'verification-messages'> {
  const headers = (line: string) =>
    [line, 'From: <sip:<caller>@192.0.2.5>;tag=4f21', 'To: <sip:7000***6671@203.0.113.40>', 'CSeq: 2 INVITE'].join('\n')
  const message = (sinceMs: number, isSent: boolean, attempt: number, trunk: string, line: string) => ({
    sinceMs,
    isSent,
    attempt,
    trunk,
    line,
    text: headers(line),
  })
  return {
    startedAt: nowMs - 20 * 60_000,
    messages: [
      message(0, true, 1, 'north', 'INVITE sip:7000***6671@203.0.113.40 SIP/2.0'),
      message(53, false, 1, 'north', 'SIP/2.0 503 Service Unavailable'),
      message(75, true, 2, 'south', 'INVITE sip:7000***6671@203.0.113.41 SIP/2.0'),
      message(102, false, 2, 'south', 'SIP/2.0 100 Trying'),
      message(2_010, false, 2, 'south', 'SIP/2.0 180 Ringing'),
      message(8_014, true, 2, 'south', 'CANCEL sip:7000***6671@203.0.113.41 SIP/2.0'),
      message(8_051, false, 2, 'south', 'SIP/2.0 487 Request Terminated'),
    ],
  }
}
