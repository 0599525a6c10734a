import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'
import { marksOf, topOf, unfinishedIn } from '../../web/src/parts/charts/axis.ts'

const fromMs = Date.parse('2026-11-18T17:00:00Z')
const hours = (count: number) => Array.from({ length: count }, (_, n) => ({ at: fromMs + n * hourMs }))
// Moscow is three hours ahead.
const hourOf = (at: number) => new Date(at + 3 * hourMs).getUTCHours()

test('the top of an axis is round, no lower than the most, and its half is whole', () => {
  assert.deepEqual([0, 1, 3, 7, 13, 95, 231, 1_234].map(topOf), [2, 2, 4, 8, 16, 100, 240, 1_600])
  for (let most = 0; most < 5_000; most++)
    assert(topOf(most) >= most && Number.isInteger(topOf(most) / 2), String(most))
})

test('times stand at round hours of the zone, at one distance', () => {
  const marks = marksOf(hours(24), 'hour', hourOf)
  assert.deepEqual(
    marks.map(({ at }) => hourOf(at)),
    [0, 6, 12, 18],
  )
  for (const count of [3, 6, 12, 24, 48, 72]) {
    const places = marksOf(hours(count), 'hour', hourOf).map(({ index }) => index)
    const steps = new Set(places.slice(1).map((place, n) => place - (places[n] ?? 0)))
    assert(places.length > 0 && places.length <= 7 && steps.size <= 1, `${count}: ${places.join()}`)
  }
  const days = Array.from({ length: 30 }, (_, n) => ({ at: fromMs + n * dayMs }))
  assert.deepEqual(
    marksOf(days, 'day', hourOf).map(({ index }) => index),
    [0, 8, 16, 24],
  )
})

test('only the last column is unfinished, and only while now is in it', () => {
  const bins = hours(24)
  const until = fromMs + 24 * hourMs
  assert.equal(unfinishedIn(bins, until, until - 1), 23)
  assert.equal(unfinishedIn(bins, until, until), undefined)
  assert.equal(unfinishedIn(bins, until, until - 2 * hourMs), undefined)
  assert.equal(unfinishedIn([], until, until - 1), undefined)
})
