import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAfter, dayOf, momentOf, startOfDay } from '../../web/src/parts/tables/zone-day.ts'

test('a day starts at midnight of its time zone, also on the days on which clocks change', () => {
  for (const [day, zone, start] of [
    ['2026-11-17', 'UTC', '2026-11-17T00:00Z'],
    ['2026-11-17', 'Europe/Moscow', '2026-11-16T21:00Z'],
    ['2026-11-17', 'Asia/Kathmandu', '2026-11-16T18:15Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00Z'],
    ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11:00Z'],
  ] as const) {
    assert.equal(startOfDay(day, zone), Date.parse(start), `${day} ${zone}`)
    assert.equal(dayOf(startOfDay(day, zone), zone), day)
    assert.notEqual(dayOf(startOfDay(day, zone) - 1, zone), day)
  }
  assert.deepEqual(['2026-02-28', '2026-12-31'].map(dayAfter), ['2026-03-01', '2027-01-01'])
})

test('a time of the zone is the moment that its clock shows, on either side of a clock change', () => {
  const zone = 'Europe/Berlin'
  assert.equal(momentOf('2026-07-01T09:30', zone), Date.parse('2026-07-01T07:30Z'))
  assert.equal(momentOf('2026-10-25T01:30', zone), Date.parse('2026-10-24T23:30Z'))
  assert.equal(momentOf('2026-10-25T03:30', zone), Date.parse('2026-10-25T02:30Z'))
  assert.equal(momentOf('2026-11-17T09:30', 'Europe/Moscow'), Date.parse('2026-11-17T06:30Z'))
})
