// A number check for the tests of the pages. Numbers of +7 907 belong to nobody.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'

type Row = WebOutput<'check-numbers'>['rows'][number]

// The last repeats the first.
export const listedNumbers: readonly string[] = [
  ...Array.from({ length: 11 }, (_, index) => `+7 907 000-00-${String(index + 1).padStart(2, '0')}`),
  'call me',
  '8 (907) 000-00-01',
]

export function numberAnswers(nowMs: number) {
  return {
    'preview-number-check': {
      valid: 11,
      invalid: 1,
      unsold: 0,
      duplicates: [12],
      cost: 0.55,
      balance: 3_118.2,
      obstacle: null,
      registryAt: nowMs - 2 * dayMs,
    } satisfies WebOutput<'preview-number-check'>,
    'check-numbers': {
      rows: listedNumbers.slice(0, 12).map((_, place) => row(place)),
      charged: 0.55,
      balance: 3_117.65,
      registryAt: nowMs - 2 * dayMs,
    } satisfies WebOutput<'check-numbers'>,
  }
}

// The balance covers six of them.
export function someUnpaid(nowMs: number) {
  const { 'preview-number-check': preview, 'check-numbers': checked } = numberAnswers(nowMs)
  const rows = checked.rows.map((one) => (one.place < 6 || one.state !== 'checked' ? one : unpaid(one)))
  return {
    'preview-number-check': { ...preview, balance: 0.33 },
    'check-numbers': { ...checked, rows, charged: 0.3, balance: 0.03 },
  }
}

const holders = [
  { provider: 'Ромашка', organisation: 'ООО "Ромашка Связь"', region: 'Лесная область', city: 'г. Лесной' },
  { provider: 'Камыш', organisation: 'АО "Камыш Телеком"', region: 'Озёрный край', city: 'г. Камышовый' },
  { provider: 'Облако', organisation: 'ПАО "Облако Мобайл"', region: 'Полевая область', city: '' },
] as const

function row(place: number): Row {
  if (listedNumbers[place]?.startsWith('+') !== true) {
    return { ...unknown(place), state: 'invalid', error: 'This text cannot be a phone number.' }
  }
  const holder = holders[place % 5 === 4 ? 2 : place % 2] ?? holders[0]
  const mask = `7907***00${String(place + 1).padStart(2, '0')}`
  return {
    ...unknown(place),
    ...holder,
    state: 'checked',
    mask,
    isMobile: true,
    country: 'Russia',
    networkCode: place % 5,
  }
}

function unpaid({ place, mask }: Row): Row {
  return { ...unknown(place), state: 'unpaid', mask }
}

function unknown(place: number): Row {
  return {
    place,
    state: 'checked',
    mask: '',
    error: '',
    isMobile: false,
    country: '',
    provider: '',
    organisation: '',
    region: '',
    city: '',
    networkCode: 0,
  }
}
