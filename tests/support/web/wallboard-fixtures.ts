// The wallboard: one trunk and nothing wrong, the normal case; and three trunks of which two have trouble.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { minuteMs } from '../../../server/src/domain/values/time.ts'
import { oneTrunk, trunkAnswers } from './trunk-fixtures.ts'

type Board = WebOutput<'wallboard'>
type ShownTrunk = WebOutput<'trunks'>['trunks'][number]

export function calmBoard(nowMs: number): Board {
  return {
    at: nowMs,
    stop: null,
    trunks: oneTrunk(nowMs).trunks.map(boardTrunk),
    moved: [],
    minutes: Array.from({ length: 60 }, (_, index) => {
      const dialled = 340 + Math.round(40 * Math.sin(index / 9)) + ((index * 7) % 23)
      return { at: nowMs - (59 - index) * minuteMs, dialled, rang: dialled - 9 - ((index * 5) % 8) }
    }),
    waiting: 0,
    webhooksDue: 3,
    areWebhooksLate: false,
    faults: [],
    earned: 8_390,
  }
}

export function troubledBoard(nowMs: number): Board {
  const calm = calmBoard(nowMs)
  return {
    ...calm,
    trunks: trunkAnswers(nowMs).trunks.trunks.map(boardTrunk),
    moved: [
      {
        id: 7,
        provider: 'Polar',
        from: 'gamma',
        to: 'alfa',
        at: nowMs - 42 * minuteMs,
        fromShare: 0.41,
        toShare: 0.93,
      },
    ],
    minutes: calm.minutes.map((minute, index) => (index < 40 ? minute : { ...minute, rang: minute.rang - 60 })),
    waiting: 4,
    webhooksDue: 215,
    areWebhooksLate: true,
    faults: [
      {
        check: 'nats-sync',
        subject: '127.0.0.1:8222',
        cause: 'JetStream writes to disk every 2m: a call may be lost.',
      },
    ],
  }
}

export function emptyBoard(nowMs: number): Board {
  const { minutes, ...calm } = calmBoard(nowMs)
  return {
    ...calm,
    trunks: [],
    minutes: minutes.map(({ at }) => ({ at, dialled: 0, rang: 0 })),
    webhooksDue: 0,
    earned: 0,
  }
}

function boardTrunk({ calls, ...trunk }: ShownTrunk): Board['trunks'][number] {
  const { name, health, channels, activeCalls, callsPerSecond, startedPerSecond } = trunk
  const { dialled, rang } = calls
  return { name, health, channels, activeCalls, callsPerSecond, startedPerSecond, dialled, rang }
}
