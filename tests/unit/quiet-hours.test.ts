import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isTimeZone,
  parseQuietHours,
  type QuietHours,
  quietForMs,
} from '../../server/src/domain/accounts/quiet-hours.ts'
import { zonesOf, zonesOfRegion } from '../../server/src/domain/numbers/number-zone.ts'
import { emptyNumberingIndex, type NumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'

const night = { fromMinute: 22 * 60, untilMinute: 8 * 60 }
const hours = (ms: number | undefined) => (ms === undefined ? undefined : ms / 3_600_000)
const left = (quiet: QuietHours, zone: string, at: string) => hours(quietForMs(quiet, [zone], Date.parse(at)))

test('22:00-08:00 spans midnight in a zone without daylight saving time', () => {
  assert.deepEqual(parseQuietHours('22:00-08:00'), night)
  // Moscow is three hours ahead of UTC all year.
  for (const [at, expected] of [
    ['2026-07-01T18:59:59Z', undefined],
    ['2026-07-01T19:00:00Z', 10],
    ['2026-07-01T21:00:00Z', 8],
    ['2026-07-02T04:30:00Z', 0.5],
    ['2026-07-02T05:00:00Z', undefined],
    ['2026-01-01T21:00:00Z', 8],
  ] as const) {
    assert.equal(left(night, 'Europe/Moscow', at), expected, at)
  }
  assert.equal(left({ fromMinute: 13 * 60, untilMinute: 14 * 60 }, 'Asia/Almaty', '2026-07-01T08:15:00Z'), 0.75)
})

test('quiet hours end by the wall clock in nights of a daylight saving change', () => {
  // Berlin: 2026-03-29 02:00 becomes 03:00, 2026-10-25 03:00 becomes 02:00.
  assert.equal(left(night, 'Europe/Berlin', '2026-03-28T21:00:00Z'), 9)
  assert.equal(left(night, 'Europe/Berlin', '2026-10-24T20:00:00Z'), 11)
  assert.equal(left(night, 'Europe/Berlin', '2026-07-01T20:00:00Z'), 10)
})

test('within quiet hours, the end returned is the first moment that is not quiet', () => {
  const minute = fc.integer({ min: 0, max: 1_439 })
  fc.assert(
    fc.property(
      fc.record({ fromMinute: minute, untilMinute: minute }).filter((quiet) => quiet.fromMinute !== quiet.untilMinute),
      fc.constantFrom('Europe/Moscow', 'Asia/Kamchatka', 'Asia/Almaty', 'UTC', 'America/St_Johns'),
      // Away from the nights in which St. John's changes its clock.
      fc.date({ min: new Date('2026-04-01'), max: new Date('2026-10-20'), noInvalidDate: true }),
      (quiet, zone, now) => {
        const nowMs = Math.floor(now.getTime() / 1_000) * 1_000
        const leftMs = quietForMs(quiet, [zone], nowMs)
        if (leftMs === undefined) return
        assert(leftMs > 0 && leftMs <= 86_400_000)
        if (leftMs > 60_000) assert.equal(quietForMs(quiet, [zone], nowMs + leftMs - 1_000) !== undefined, true)
        assert.equal(quietForMs(quiet, [zone], nowMs + Math.ceil(leftMs / 60_000) * 60_000), undefined)
      },
    ),
    { numRuns: 500 },
  )
})

test('a number in one of several zones is quiet while any of them is', () => {
  const at = Date.parse('2026-07-01T14:00:00Z')
  assert.equal(quietForMs(night, ['Asia/Yakutsk'], at), 9 * 3_600_000)
  assert.equal(quietForMs(night, ['Europe/Moscow'], at), undefined)
  assert.equal(quietForMs(night, ['Europe/Moscow', 'Asia/Yakutsk'], at), 9 * 3_600_000)
})

test('invalid hours and unknown zones are refused', () => {
  for (const text of ['', '22-8', '24:00-08:00', '22:00-22:00', '22:60-08:00', '22:00-08:00 ']) {
    assert.equal(parseQuietHours(text), undefined, text)
  }
  for (const zone of ['Europe/Moscow', 'America/Argentina/Ushuaia', 'UTC']) assert(isTimeZone(zone), zone)
  for (const zone of ['', 'Moscow', 'Europe/Atlantis', '+03:00', 'MSK']) assert(!isTimeZone(zone), zone)
})

test('every region of the registry has a zone in every spelling; the whole country has none', () => {
  for (const [region, zones] of [
    ['г. Москва', ['Europe/Moscow']],
    ['г. Москва, Московская обл.', ['Europe/Moscow']],
    ['Архангельская область и Ненецкий автономный округ', ['Europe/Moscow']],
    ['Новгородская область', ['Europe/Moscow']],
    ['Ямало-Ненецкий АО', ['Asia/Yekaterinburg']],
    ['Ханты - Мансийский - Югра АО', ['Asia/Yekaterinburg']],
    ['Томская область', ['Asia/Tomsk']],
    ['Омская обл.', ['Asia/Omsk']],
    ['Республика Алтай', ['Asia/Barnaul']],
    ['Республика Саха (Якутия)', ['Asia/Yakutsk', 'Asia/Vladivostok', 'Asia/Srednekolymsk']],
    ['Кемеровская область - Кузбасс', ['Asia/Novokuznetsk']],
    ['Приморский край', ['Asia/Vladivostok']],
    ['Калининградская обл.', ['Europe/Kaliningrad']],
    ['Камчатский край, Приморский край', ['Asia/Kamchatka', 'Asia/Vladivostok']],
    ['Приволжский федеральный округ', []],
    ['', []],
  ] as const) {
    assert.deepEqual(zonesOfRegion(region), zones, region)
  }
})

test('the zone is that of the region in Russia, of the country in Kazakhstan, otherwise unknown', () => {
  const range = { organisation: 'x', inn: '', region: 'Камчатский край', city: '', isReserve: false }
  const book: NumberingIndex = {
    ...emptyNumberingIndex,
    find: (national) => (national === 9140000000 ? range : undefined),
  }
  assert.deepEqual(zonesOf('79140000000', 'RU', book), ['Asia/Kamchatka'])
  assert.deepEqual(zonesOf('79140000001', 'RU', book), [])
  assert.deepEqual(zonesOf('77010000000', 'KZ', book), ['Asia/Almaty'])
  assert.deepEqual(zonesOf('375290000000', 'BY', book), [])
})
