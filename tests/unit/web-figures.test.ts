// The change of a figure against the time before: nothing from few calls, a factor where percents say nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../server/src/domain/values/time.ts'
import { type Data, figuresOf } from '../../web/src/dashboard/statistics/figures.ts'
import { words } from '../../web/src/dashboard/statistics/words.en.ts'

const formats = {
  number: (value: number) => value.toFixed(0),
  money: (value: number) => value.toFixed(2),
  seconds: (value: number) => value.toFixed(1),
  percent: (share: number) => `${Number((share * 100).toFixed(1))}%`,
  wholePercent: (share: number) => `${(share * 100).toFixed(0)}%`,
}

function notesOf(calls: number, before: number, more: Partial<Data> = {}) {
  const of = (count: number) => ({
    calls: count,
    succeeded: Math.round(count * 0.9),
    failed: count - Math.round(count * 0.9),
    repeats: 0,
    charged: count * 0.4,
    ringP50Ms: 2_500,
    ringP95Ms: 4_000,
  })
  const data = {
    from: dayMs,
    until: 2 * dayMs,
    compared: { from: 0, until: dayMs },
    total: of(calls),
    before: of(before),
    ...more,
  } as Data
  const figures = figuresOf(data, words, formats, () => '', true)
  return { notes: figures.map(({ note }) => note), areWorse: figures.map(({ isWorse }) => isWorse === true) }
}

test('against fewer than 50 calls nothing is compared, and nothing is red', () => {
  for (const [calls, before] of [
    [597, 3],
    [597, 49],
    [597, 0],
  ] as const) {
    const { notes, areWorse } = notesOf(calls, before)
    assert.deepEqual([notes[0], notes[1], notes[2], notes[4]], Array(4).fill(words.noBefore))
    assert.deepEqual(areWorse, Array(5).fill(false))
  }
})

test('a share of fewer than 50 calls is not compared with a larger one', () => {
  const { notes } = notesOf(10, 1_000)
  assert.deepEqual([notes[1], notes[2]], [words.noBefore, words.noBefore])
})

test('small changes have a decimal, large ones none, and beyond the threefold it is a factor', () => {
  const change = (calls: number) => notesOf(calls, 1_000).notes[0]
  assert.equal(change(1_062), '+6.2% vs previous 24\u00a0h')
  assert.equal(change(900), '−10% vs previous 24\u00a0h')
  assert.equal(change(2_555), '+156% vs previous 24\u00a0h')
  assert.equal(change(4_100), '×4 vs previous 24\u00a0h')
  assert.equal(change(1_000), words.same)
})

test('the compared period is named', () => {
  const week = { from: 7 * dayMs, until: 14 * dayMs, compared: { from: 0, until: 7 * dayMs } }
  assert.equal(notesOf(1_100, 1_000, week).notes[0], '+10% vs previous 7\u00a0days')
  const other = { from: 0, until: 2 * dayMs, compared: { from: 0, until: dayMs } }
  assert.equal(notesOf(2_200, 1_000, other).notes[0], '+10% vs previous period')
})
