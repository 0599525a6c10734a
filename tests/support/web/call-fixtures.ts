// Calls of all customers for the tests of the console. Numbers and addresses belong to nobody.

import type { WebOutput } from '@ringproof/contract/web/api.ts'

type Row = WebOutput<'calls'>['calls'][number]

export function callAnswers(nowMs: number): { calls: WebOutput<'calls'>; call: WebOutput<'call'> } {
  return { calls: calls(nowMs), call: oneCall(nowMs) }
}

function calls(nowMs: number): WebOutput<'calls'> {
  const rows: readonly Partial<Row>[] = [
    { status: 'ringing', ringDelayMs: 1_900, charged: 0, reason: null },
    { status: 'checking', ringDelayMs: null, charged: 0, reason: null },
    {},
    { accountId: 640, accountName: 'northern-taxi@example.org', provider: 'Volga', region: 'Kazan' },
    failed('refused', 486, 'subscriber'),
    { mode: 'voice', reason: 'spoken', charged: 1.2, ringDelayMs: 3_400, provider: 'Amber', region: 'Perm' },
    { ...failed('refused', 503, 'carrier'), trunk: 'beta' },
    { ...failed('not-started', null, 'operator'), trunk: null },
    { mode: 'inbound', status: 'waiting', trunk: null, ringDelayMs: null, charged: 0, reason: null },
    { accountId: 640, accountName: 'northern-taxi@example.org' },
    { ...failed('no-ringing', null, 'carrier'), provider: 'Cedar', region: 'Nizhny Novgorod region' },
  ]
  return {
    calls: rows.map((row, index) => ({ ...usual(nowMs, index), ...row })),
    nextBefore: 233_715_489_767_424,
  }
}

function failed(reason: string, sipStatus: number | null, atFault: Row['atFault']): Partial<Row> {
  return { status: 'failed', reason, sipStatus, atFault, ringDelayMs: null, charged: 0 }
}

function usual(nowMs: number, index: number): Row {
  return {
    id: 233_715_489_767_435 - index,
    at: nowMs - 2_000 - index * 9_000,
    accountId: 512,
    accountName: 'My shop',
    phoneMask: `7000***${String(6_671 - index * 313).padStart(4, '0')}`,
    mode: 'flash',
    status: 'succeeded',
    isTest: false,
    country: 'RU',
    provider: 'Polar',
    region: 'Moscow',
    trunk: 'alfa-msk',
    reason: 'rang',
    sipStatus: null,
    atFault: null,
    ringDelayMs: 2_098 + index * 90,
    charged: 0.4,
  }
}

// The first carrier had no free line, the second found the phone switched off.
function oneCall(nowMs: number): WebOutput<'call'> {
  const startedMs = nowMs - 600_000
  const message = (sinceMs: number, isSent: boolean, attempt: number, line: string, method: string, more = '') => ({
    sinceMs,
    isSent,
    attempt,
    trunk: attempt === 1 ? 'alfa-msk' : 'beta',
    line,
    text: `${line}\nVia: SIP/2.0/UDP 192.0.2.6:5060;branch=z9hG4bK91d7;rport=5060\nFrom: <sip:***7043@192.0.2.6>;tag=4f21\nTo: <sip:7000***0142@203.0.113.40>\nCall-ID: 7be1c04a-${attempt}@192.0.2.6\nCSeq: 1 ${method}${more}`,
  })
  return {
    ...usual(nowMs, 4),
    ...failed('refused', 480, 'subscriber'),
    trunk: 'beta',
    provider: 'Volga',
    region: 'Kazan',
    phoneMask: '7000***0142',
    serviceId: 1_024,
    serviceName: 'Sign-in',
    acceptedAt: startedMs,
    dialledAt: startedMs + 88,
    rangAt: null,
    answeredAt: null,
    endedAt: startedMs + 4_349,
    ringMs: null,
    endedBy: 'them',
    assurance: null,
    attempt: 2,
    callerStart: '7000000',
    callerEnd: '7043',
    price: 0.4,
    ledger: [
      { at: startedMs, kind: 'held', amount: 0.4, sequence: 1 },
      { at: startedMs + 4_352, kind: 'released', amount: 0.4, sequence: 2 },
    ],
    legs: legs(),
    messagesFrom: startedMs + 88,
    messages: [
      message(0, true, 1, 'INVITE sip:7000***0142@192.0.2.10 SIP/2.0', 'INVITE'),
      message(14, false, 1, 'SIP/2.0 100 Trying', 'INVITE'),
      message(53, false, 1, 'SIP/2.0 503 Service Unavailable', 'INVITE', '\nReason: Q.850;cause=34'),
      message(54, true, 1, 'ACK sip:7000***0142@192.0.2.10 SIP/2.0', 'ACK'),
      message(75, true, 2, 'INVITE sip:7000***0142@203.0.113.40 SIP/2.0', 'INVITE'),
      message(102, false, 2, 'SIP/2.0 100 Trying', 'INVITE'),
      message(783, false, 2, 'SIP/2.0 183 Session Progress', 'INVITE'),
      message(4_246, false, 2, 'SIP/2.0 480 Temporarily Unavailable', 'INVITE', '\nReason: Q.850;cause=20'),
      message(4_247, true, 2, 'ACK sip:7000***0142@203.0.113.40 SIP/2.0', 'ACK'),
    ],
  }
}

function legs(): WebOutput<'call'>['legs'] {
  const address = { us: '192.0.2.6:5060', alfa: '192.0.2.10:5060', beta: '203.0.113.40:5060' }
  return [
    {
      attempt: 1,
      trunk: 'alfa-msk',
      callId: '7be1c04a-1@192.0.2.6',
      source: address.us,
      destination: address.alfa,
      response: '503 Service Unavailable',
      cause: 34,
      tookMs: 53,
    },
    {
      attempt: 2,
      trunk: 'beta',
      callId: '7be1c04a-2@192.0.2.6',
      source: address.us,
      destination: address.beta,
      response: '480 Temporarily Unavailable',
      cause: 20,
      tookMs: 4_171,
    },
  ]
}
