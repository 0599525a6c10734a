import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallCounts, mergeStatistics } from '../../server/src/domain/verifications/call-statistics.ts'

const none = { dialled: 0, rang: 0, succeeded: 0, notDialled: 0 }
const rang = (trunk: string, postDialMs: number, count: number): CallCounts => ({
  group: { trunk },
  postDialMs,
  ...none,
  dialled: count,
  rang: count,
  succeeded: count,
})

test('percentiles are of all calls, not of databases', () => {
  // 90 quick calls in one database, 10 slow ones in the other: the mean of two medians would be 2550.
  const merged = mergeStatistics(
    [
      rang('b', 100, 90),
      rang('b', 5_000, 10),
      { group: { trunk: 'b' }, postDialMs: null, ...none, dialled: 100, notDialled: 3 },
      rang('a', 700, 1),
    ],
    ['trunk'],
  )
  assert.deepEqual(merged, [
    {
      group: { trunk: 'a' },
      dialled: 1,
      rang: 1,
      succeeded: 1,
      notDialled: 0,
      ringThrough: 1,
      postDialP50Ms: 700,
      postDialP95Ms: 700,
    },
    {
      group: { trunk: 'b' },
      dialled: 200,
      rang: 100,
      succeeded: 100,
      notDialled: 3,
      ringThrough: 0.5,
      postDialP50Ms: 100,
      postDialP95Ms: 5_000,
    },
  ])
})

test('a group in which nothing was dialled has no ratio and no delay', () => {
  const [only] = mergeStatistics([{ group: { country: 'RU' }, postDialMs: null, ...none, notDialled: 2 }], ['country'])
  assert.deepEqual([only?.ringThrough, only?.postDialP50Ms, only?.notDialled], [undefined, undefined, 2])
})
