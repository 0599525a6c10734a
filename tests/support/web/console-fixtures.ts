// Answers of the endpoints for operators.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'
import { announcementAnswers } from './announcement-fixtures.ts'
import { callAnswers } from './call-fixtures.ts'
import { customerAnswers } from './customer-fixtures.ts'
import { protectionAnswers } from './protection-fixtures.ts'
import { registryAnswers } from './registry-fixtures.ts'
import { setUp } from './setup-fixtures.ts'
import { switchOvers } from './switch-over-fixtures.ts'
import { tariffAnswers } from './tariff-fixtures.ts'
import { calmBoard } from './wallboard-fixtures.ts'

export function consoleAnswers(nowMs: number) {
  return {
    operators: { operators: operators(nowMs) },
    ...callAnswers(nowMs),
    'audit-log': auditLog(nowMs),
    deliverability: deliverability(nowMs),
    deliveries: deliveries(nowMs),
    examination: examination(nowMs),
    setup: setUp,
    ...registryAnswers(nowMs),
    ...customerAnswers(nowMs),
    ...protectionAnswers(nowMs),
    'switch-overs': switchOvers(nowMs),
    wallboard: calmBoard(nowMs),
    ...tariffAnswers(nowMs),
    ...announcementAnswers(nowMs),
  }
}

function operators(nowMs: number): WebOutput<'operators'>['operators'] {
  return [
    {
      userId: 1,
      email: 'you@example.org',
      name: '',
      role: 'admin',
      hasFactor: true,
      seenAt: nowMs - 1_000,
      createdAt: nowMs - 250 * dayMs,
    },
    {
      userId: 7,
      email: 'night@example.org',
      name: 'Night shift',
      role: 'support',
      hasFactor: true,
      seenAt: nowMs - 9 * 3_600_000,
      createdAt: nowMs - 30 * dayMs,
    },
  ]
}

function auditLog(nowMs: number): WebOutput<'audit-log'> {
  const entries = [
    ['trunk set', 'night@example.org', null, '{"name":"alfa-msk","changes":{"channels":[30,60]}}'],
    ['calls searched by number', 'night@example.org', null, '{}'],
    ['service key rotated', 'you@example.org', 512, '{"serviceId":1024,"overlapHours":24}'],
    ['account credited', 'root', 640, '{"amount":5000,"reference":"2026-11-14/18","reason":"invoice 18"}'],
    ['signed in', 'you@example.org', 512, '{"factor":"passkey"}'],
    ['restore finished', '', null, '{"from":"2026-11-12T08:00:00Z"}'],
  ] as const
  return {
    entries: entries.map(([action, who, accountId, details], index) => ({
      key: `0:${900 - index}`,
      at: nowMs - 90_000 - index * 1_260_000,
      accountId,
      action,
      who,
      address: `198.51.100.${7 + (index % 2)}`,
      details,
    })),
    nextBefore: '1763300000000000',
    chains: [
      { sequence: 184_201, hash: '9f2c7be1c04a5d6e'.repeat(4), chainedAt: nowMs - 8_000 },
      { sequence: 0, hash: '', chainedAt: null },
    ],
  }
}

const shares = [
  ['Norda', 0.97, 1_119],
  ['Volga', 0.96, 812],
  ['Polar', 0.93, 480],
  ['Cedar', 0.91, 100],
  ['', 0.9, 31],
] as const

// Polar hardly rings over beta.
export function deliverability(nowMs: number, trunks = ['alfa-msk', 'beta', 'gamma']): WebOutput<'deliverability'> {
  const modes = ['flash', 'voice', 'inbound'] as const
  const cells = trunks.flatMap((trunk, column) =>
    modes.flatMap((mode, row) =>
      shares.map(([provider, share, calls]) => {
        const isBad = provider === 'Polar' && mode === 'flash' && trunk === (trunks[1] ?? trunks[0])
        const dialled = Math.ceil(calls / (1 + column) / (1 + row * 4))
        const rang = Math.round(dialled * (isBad ? 0.71 : share))
        const low = Math.max(0, rang / dialled - 0.04)
        return { provider, trunk, mode, dialled, rang, low, high: rang / dialled, usual: share, hasFallen: isBad }
      }),
    ),
  )
  const hour = Math.floor(nowMs / 3_600_000) * 3_600_000
  return {
    from: hour - 2 * 3_600_000,
    until: hour + 3_600_000,
    cells,
    changes: [
      {
        provider: 'Polar',
        trunk: trunks[1] ?? 'alfa-msk',
        mode: 'flash',
        hourMs: hour - 3_600_000,
        before: 0.93,
        after: 0.71,
      },
      {
        provider: 'Cedar',
        trunk: trunks[0] ?? 'alfa-msk',
        mode: 'voice',
        hourMs: hour - 9 * 3_600_000,
        before: 0.84,
        after: 0.91,
      },
    ],
  }
}

// Two hosts take webhooks, one does not.
function deliveries(nowMs: number): WebOutput<'deliveries'> {
  const well = { waiting: 0, recoverable: 0, failingSince: null, lastStatus: 204, lastFailure: null }
  return {
    waiting: 7,
    lateSeconds: null,
    hosts: [
      {
        host: 'api.bakery.example',
        accountIds: [640],
        webhooks: 212,
        delivered: 188,
        waiting: 7,
        recoverable: 12,
        medianMs: 2_140,
        failingSince: nowMs - 1_320_000,
        lastStatus: 503,
        lastFailure: null,
      },
      { ...well, host: 'shop.example:8443', accountIds: [512, 517], webhooks: 1_904, delivered: 1_904, medianMs: 84 },
      { ...well, host: 'hooks.taxi.example', accountIds: [701], webhooks: 96, delivered: 96, medianMs: 131 },
    ],
    failed: [
      ['given-up', 503, null, 900_000],
      ['given-up', null, 'too-slow', 420_000],
      ['gone', 410, null, null],
      ['erased', null, 'address-refused', null],
    ].map(([reason, lastStatus, lastFailure, left], index) => ({
      verificationId: 3_605_214_872_064 - index * 411,
      accountId: 640,
      host: 'api.bakery.example',
      calledAt: nowMs - 600_000 - index * 1_500_000,
      reason: reason as string,
      attempts: reason === 'gone' ? 1 : 8,
      lastStatus: lastStatus as number | null,
      lastFailure: lastFailure as string | null,
      numberUntil: left === null ? null : nowMs + (left as number),
    })),
    examinedMax: 2_000,
  }
}

function examination(nowMs: number): WebOutput<'examination'> {
  const good = (check: string, subject: string, cause: string) => ({
    check,
    subject,
    level: 'good' as const,
    cause,
    fix: null,
  })
  return {
    at: nowMs - 20_000,
    findings: [
      {
        check: 'backup',
        subject: 'main',
        level: 'bad',
        cause: 'The newest backup is 9 days old.',
        fix: 'pgbackrest --stanza=main backup',
      },
      {
        check: 'replication',
        subject: 'ringproof',
        level: 'warning',
        cause: 'There is no standby server: a lost disk loses what is newer than the backup.',
        fix: 'set up streaming replication',
      },
      {
        check: 'edge-buffers',
        subject: 'node-1',
        level: 'warning',
        cause:
          'Sockets may buffer 212992 bytes (net.core.rmem_max), enough for 183 calls a second, but RINGPROOF_EDGE_CALLS_PER_SECOND is 1000: a short pause loses packets.',
        fix: 'echo net.core.rmem_max=4194304 >/etc/sysctl.d/60-ringproof.conf && sysctl --system && systemctl restart ringproof-edge',
      },
      good('database', 'ringproof', 'PostgreSQL 17.2 responds.'),
      good('nats', '127.0.0.1:4222', 'NATS 2.12 responds.'),
      good('asterisk', 'node-1', 'Asterisk 22.10.1 responds.'),
      good('edge', 'node-1', 'Kamailio 6.0.1 responds.'),
      good('disk', '/var/lib/ringproof', '71 % free.'),
      good('certificates', 'fullchain.pem', 'It is valid for 64 days.'),
    ],
  }
}
