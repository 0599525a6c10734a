// Times in traces: two clocks are read one after the other, and the process may lose the CPU between them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from '../../server/src/process/clock.ts'
import { createUnixNanos } from '../../server/src/process/traces/traces.ts'

const startedAtMs = 1_700_000_000_000

// Both clocks go on by a little at every reading. `loseAfter` takes the CPU away for 40 ms after so many readings.
function createReadClocks() {
  let nowMs = 0
  let steppedMs = 0
  let readingsLeft = Number.POSITIVE_INFINITY
  const read = () => {
    nowMs += readingsLeft-- === 0 ? 40 : 0.01
    return nowMs
  }
  return {
    clock: { ...createClock(1), monotonicMs: read, timeOfDayMs: () => Math.floor(startedAtMs + steppedMs + read()) },
    loseAfter: (readings: number) => {
      readingsLeft = readings
    },
    step: (ms: number) => {
      steppedMs += ms
    },
  }
}

test('a process that loses the CPU between two clocks dates nothing later or earlier', () => {
  for (const readings of [0, 1, 2, 3]) {
    const { clock, loseAfter } = createReadClocks()
    const unixNanos = createUnixNanos(clock)
    const before = unixNanos(1_000)
    loseAfter(readings)
    assert.equal(unixNanos(1_000), before, `lost after ${readings} readings`)
    assert.equal(unixNanos(1_000), before)
  }
})

test('a time of day that is set is followed', () => {
  const { clock, step } = createReadClocks()
  const unixNanos = createUnixNanos(clock)
  const before = Number(unixNanos(1_000).slice(0, -6))
  step(5_000)
  assert(Math.abs(Number(unixNanos(1_000).slice(0, -6)) - before - 5_000) <= 2)
})
