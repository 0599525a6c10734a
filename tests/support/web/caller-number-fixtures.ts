// Caller numbers: one carrier with ten thousand numbers is the normal case. Numbers belong to nobody.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'

type Shown = WebOutput<'caller-numbers'>

const codes = Array.from({ length: 10_000 }, (_, code) => code)

// One trunk, every code, nothing to do.
export function callerNumbers(): Pick<AnswersOf, 'caller-numbers' | 'caller-use'> {
  return {
    'caller-numbers': {
      countries: [{ country: 'RU', numbers: 10_000, missing: 0 }],
      country: 'RU',
      counts: codes.map(() => '1').join(''),
      gaps: [],
      gapsLeft: 0,
      ranges: [range({ first: 70000000000, last: 70000009999 })],
      rangesLeft: 0,
      quarantines: [],
      trunks: [{ name: 'carrier', isOn: true, countries: ['*'] }],
    },
    'caller-use': {
      calls: 18_204,
      numbers: 10_000,
      unused: 1_620,
      most: 8,
      isEven: true,
      histogram: [1_620, 2_948, 2_683, 1_628, 741, 270, 82, 21, 7],
    },
  }
}

// Two countries, several trunks, holes for every reason.
export function callerNumbersWithHoles(nowMs: number): AnswersOf {
  const holes = new Set([417, 418, 5120, 5121, 5122, 5123, 7731])
  const counts = codes.map((code) =>
    holes.has(code) ? 0 : 1 + ((code * 7) % 11 === 0 ? 1 : 0) + (code % 3_000 < 900 ? 2 : 0),
  )
  return {
    'caller-numbers': {
      countries: [
        { country: 'RU', numbers: 21_040, missing: 7 },
        { country: 'KZ', numbers: 10_000, missing: 0 },
      ],
      country: 'RU',
      counts: counts.join(''),
      gaps: [
        { first: '0417', last: '0418', cause: 'none', trunk: '' },
        { first: '5120', last: '5123', cause: 'trunk-off', trunk: 'delta' },
        { first: '7731', last: '7731', cause: 'quarantined', trunk: '' },
      ],
      gapsLeft: 0,
      ranges: [
        range({ first: 70000000000, last: 70000000416 }),
        range({ first: 70000000419, last: 70000009999, out: 1 }),
        range({ trunk: 'delta', first: 70000015120, last: 70000015123, isTrunkOn: false }),
        range({ country: 'KZ', first: 77000000000, last: 77000009999 }),
      ],
      rangesLeft: 0,
      quarantines: quarantines(nowMs),
      trunks: [
        { name: 'carrier', isOn: true, countries: ['*'] },
        { name: 'delta', isOn: false, countries: ['RU'] },
      ],
    },
    'caller-use': {
      calls: 18_204,
      numbers: 21_040,
      unused: 9_902,
      most: 431,
      isEven: false,
      histogram: [9_902, 6_120, 3_211, 1_204, 420, 120, 40, 12, 6, 2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    },
    'preview-caller-import': {
      added: 9_583,
      duplicates: 417,
      taken: 4,
      repeated: 1,
      invalidLines: [3, 18],
      invalid: 2,
      gained: [{ first: '0417', last: '0418' }],
      gainedCodes: 2,
      missingAfter: 5,
    },
    'preview-number-removal': {
      numbers: 417,
      lost: [{ country: 'RU', codes: [{ first: '0001', last: '0416' }], count: 416 }],
    },
  }
}

export function noCallerNumbers(): Pick<AnswersOf, 'caller-numbers'> {
  const shown = callerNumbers()['caller-numbers']
  return {
    'caller-numbers': { ...shown, countries: [], country: '', counts: codes.map(() => '0').join(''), ranges: [] },
  }
}

type AnswersOf = {
  readonly 'caller-numbers': Shown
  readonly 'caller-use': WebOutput<'caller-use'>
  readonly 'preview-caller-import': WebOutput<'preview-caller-import'>
  readonly 'preview-number-removal': WebOutput<'preview-number-removal'>
}

function range(changes: Partial<Shown['ranges'][number]>): Shown['ranges'][number] {
  return { trunk: 'carrier', country: 'RU', first: 70000000000, last: 70000009999, isTrunkOn: true, out: 0, ...changes }
}

function quarantines(nowMs: number): Shown['quarantines'] {
  return [
    {
      trunk: 'carrier',
      first: 70000007731,
      last: 70000007731,
      reason: 'Phones of two providers show it as spam',
      since: nowMs - 2 * dayMs,
      until: null,
    },
    {
      trunk: 'carrier',
      first: 70000008800,
      last: 70000008809,
      reason: 'Rewritten by the carrier, ticket 4471',
      since: nowMs - dayMs,
      until: nowMs + 6 * dayMs,
    },
  ]
}
