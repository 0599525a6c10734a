// Traffic that was moved, is tried elsewhere, and has come back.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { minuteMs } from '../../../server/src/domain/values/time.ts'

type Shown = WebOutput<'switch-overs'>

export const noSwitchOvers: Shown = { isOn: true, switchOvers: [] }

export function switchOvers(nowMs: number): Shown {
  const moved: Shown['switchOvers'][number] = {
    id: 7,
    country: 'RU',
    provider: 'Polar',
    from: 'beta',
    to: 'alfa-spb',
    phase: 'moved',
    since: nowMs - 42 * minuteMs,
    movedAt: nowMs - 42 * minuteMs,
    fromCount: { dialled: 118, rang: 48 },
    toCount: { dialled: 61, rang: 57 },
    usual: 0.934,
    recoveredSince: null,
    holdMs: 10 * minuteMs,
    isPinned: false,
    isPaused: false,
    endedAt: null,
    end: null,
  }
  return {
    isOn: true,
    switchOvers: [
      { ...moved, recoveredSince: nowMs - 4 * minuteMs },
      {
        ...moved,
        id: 9,
        provider: '',
        country: 'KZ',
        phase: 'trial',
        since: nowMs - minuteMs,
        movedAt: null,
        toCount: { dialled: 0, rang: 0 },
        usual: null,
      },
      { ...moved, id: 6, provider: 'Kvant', isPinned: true },
      { ...moved, id: 5, provider: 'Volna', endedAt: nowMs - 200 * minuteMs, end: 'recovered' },
      { ...moved, id: 4, provider: 'Norda', movedAt: null, endedAt: nowMs - 300 * minuteMs, end: 'no-better' },
    ],
  }
}
