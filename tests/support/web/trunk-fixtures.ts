// Trunks of an operator: one, which is the normal case, or three of which one is down. Numbers and addresses belong to nobody.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { trunkDefaults } from '../../../server/src/domain/trunks/trunk.ts'
import { minuteMs } from '../../../server/src/domain/values/time.ts'

type Page = WebOutput<'trunks'>
type Shown = Page['trunks'][number]
type Health = Shown['health']

const { passwordSealed: _, ...options } = trunkDefaults

export function oneTrunk(nowMs: number): Page {
  return { stop: null, trunks: [alfa(nowMs)] }
}

export function trunkAnswers(nowMs: number) {
  return {
    trunks: threeTrunks(nowMs),
    'trunk-log': trunkLog(nowMs),
    'start-trunk-test': { id: 7 },
    'trunk-test': trunkTest(nowMs),
    'answer-trunk-test': { isIntact: true },
    'add-trunk': { name: 'beta' },
  } satisfies Partial<{ [Name in 'trunks' | 'trunk-log']: WebOutput<Name> }> & Record<string, unknown>
}

function threeTrunks(nowMs: number): Page {
  const refused: Health = { ...health(nowMs), state: 'down', cause: 'wrong-password', status: 403 }
  const late: Health = { ...health(nowMs), state: 'degraded', cause: 'late-ringing' }
  const beta = { ...alfa(nowMs), name: 'beta', address: 'sip.beta.example', priority: 110, user: 'ringproof-7' }
  const gamma = { ...alfa(nowMs), name: 'gamma', address: '192.0.2.44:5070', priority: 120 }
  const calls = { dialled: 310, rang: 250, answered: 2, postDialMsP95: 9_400, refusals: [{ status: 480, calls: 58 }] }
  return {
    stop: null,
    trunks: [
      alfa(nowMs),
      {
        ...beta,
        health: refused,
        carrier: refused,
        hasPassword: true,
        outboundRegistration: true,
        activeCalls: 0,
        startedPerSecond: 0,
        calls: { ...calls, dialled: 12, rang: 0, postDialMsP95: null, refusals: [{ status: 403, calls: 12 }] },
      },
      { ...gamma, health: late, carrier: late, calls, activeCalls: 25 },
    ],
  }
}

function health(nowMs: number): Health {
  return {
    state: 'healthy',
    cause: 'fine',
    status: null,
    node: null,
    changedAt: nowMs - 21 * minuteMs,
    reportedAt: null,
  }
}

function alfa(nowMs: number): Shown {
  return {
    name: 'alfa',
    ...options,
    address: 'sip.alfa.example:5060',
    hasPassword: false,
    callerNumbers: 10_000,
    health: health(nowMs),
    carrier: health(nowMs),
    ourAddresses: ['198.51.100.17'],
    rttMs: 24,
    activeCalls: 11,
    startedPerSecond: 3,
    calls: {
      dialled: 4_812,
      rang: 4_401,
      answered: 37,
      postDialMsP95: 2_300,
      refusals: [
        { status: 480, calls: 201 },
        { status: 486, calls: 148 },
        { status: 404, calls: 51 },
        { status: null, calls: 11 },
      ],
    },
    dialString: 'PJSIP/79070001122@alfa',
    sampleInvite: [
      'INVITE sip:79070001122@sip.alfa.example:5060 SIP/2.0',
      'Via: SIP/2.0/UDP 198.51.100.17;rport;branch=z9hG4bK…',
      'From: <sip:70000000427@sip.alfa.example>;tag=…',
      'To: <sip:79070001122@sip.alfa.example>',
      'P-Asserted-Identity: <sip:70000000427@sip.alfa.example>',
      'Contact: <sip:asterisk@198.51.100.17>',
    ].join('\n'),
  }
}

function trunkLog(nowMs: number): WebOutput<'trunk-log'> {
  return {
    entries: [
      { id: 9, at: nowMs - 9 * minuteMs, who: 'ops@example.org', action: 'trunk tested', changes: [] },
      {
        id: 4,
        at: nowMs - 44 * minuteMs,
        who: 'ops@example.org',
        action: 'trunk set',
        changes: ['channels: 20 → 30', 'callsPerSecond: 3 → 5'],
      },
      { id: 2, at: nowMs - 90 * minuteMs, who: 'root', action: 'trunk added', changes: [] },
    ],
  }
}

function trunkTest(nowMs: number): WebOutput<'trunk-test'> {
  const message = (sinceMs: number, isSent: boolean, line: string) => ({
    sinceMs,
    isSent,
    line,
    text: `${line}\nCall-ID: 5f1c\nCSeq: 1 INVITE`,
  })
  return {
    id: 7,
    phone: '7907***2180',
    startedAt: nowMs - 9_000,
    endedAt: nowMs - 2_000,
    rangAfterMs: 1_840,
    outcome: 'rang',
    status: null,
    messages: [
      message(0, true, 'INVITE sip:7907***2180@sip.alfa.example SIP/2.0'),
      message(22, false, 'SIP/2.0 100 Trying'),
      message(1_840, false, 'SIP/2.0 180 Ringing'),
      message(6_850, true, 'CANCEL sip:7907***2180@sip.alfa.example SIP/2.0'),
      message(6_874, false, 'SIP/2.0 487 Request Terminated'),
    ],
    seenDigits: null,
    sentDigits: null,
  }
}
