// Takes the same random steps in the model and in PostgreSQL, and compares everything after every step.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { dayMs } from '../../../server/src/domain/values/time.ts'
import { callDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'
import { takeDatabaseStep } from './database-step.ts'
import { createDatabaseWorld, createModelDatabases } from './database-world.ts'
import { readSnapshot } from './read-snapshot.ts'
import { differences, snapshotOf } from './snapshot.ts'
import { histories, type Step } from './steps.ts'
import { takeStep } from './take-step.ts'
import { isFinal } from './verification.ts'
import { firstNowMs, type Layout, newWorld, soundParts, type World } from './world.ts'

// One database or two, in which histories run one after another.
export type Lane = {
  readonly slots: SlotMap
  readonly layout: Layout
  worldCount: number
  nowMs: number
}

export type Run = { readonly seed: number; readonly count: number; readonly length: number }

export type Comparison = {
  readonly steps: number
  // How often each decision, result and end of a call was compared.
  readonly happened: ReadonlyMap<string, number>
  // Undefined: none.
  readonly difference: string | undefined
}

// No step but a sweep reaches further back than this; a sweep changes open calls only.
const recentCalls = 25
const fullSnapshotEvery = 50
const shownSteps = 12
const shownDifferences = 12

export async function createLane(layout: Layout): Promise<Lane> {
  return { slots: await createModelDatabases(layout), layout, worldCount: 0, nowMs: firstNowMs }
}

export async function assertSame(lane: Lane, run: Run): Promise<Comparison> {
  const comparison = await compareHistories(lane, run)
  assert(comparison.difference === undefined, comparison.difference)
  return comparison
}

// Until the first difference. Every history starts shortly before midnight, and later than the one before.
export async function compareHistories(lane: Lane, { seed, count, length }: Run): Promise<Comparison> {
  const happened = new Map<string, number>()
  let steps = 0
  for (const [at, history] of fc.sample(histories(length), { seed, numRuns: count }).entries()) {
    const world = newWorld(lane.layout, lane.nowMs)
    const difference = await compareHistory(lane, world, history, happened)
    steps += history.length
    lane.nowMs += Math.ceil((world.nowMs - lane.nowMs) / dayMs + 1) * dayMs
    if (difference !== undefined) return { steps, happened, difference: `seed ${seed}, history ${at}, ${difference}` }
  }
  return { steps, happened, difference: undefined }
}

async function compareHistory(
  lane: Lane,
  world: World,
  history: readonly Step[],
  happened: Map<string, number>,
): Promise<string | undefined> {
  lane.worldCount += 1
  const real = await createDatabaseWorld(lane.slots, world.layout, lane.worldCount, world.nowMs)
  // At the end every open call is overdue.
  const settling: readonly Step[] = [
    { type: 'wait', ms: callDeadlineMs },
    { type: 'sweep', account: undefined },
  ]
  const steps = [...history, ...settling]
  for (const [at, step] of steps.entries()) {
    const attempt = ('back' in step ? world.calls.at(-1 - step.back)?.state.attempt : undefined) ?? 0
    const isFull = at % fullSnapshotEvery === 0 || at === steps.length - 1
    const fromCall = isFull ? 0 : firstChangeable(world)
    const expected = takeStep(world, step, soundParts)
    const got = await takeDatabaseStep(real, step, attempt).catch((error: Error) => error.message)
    increment(happened, typeof expected === 'object' ? expected.decision : `${step.type} ${describe(expected)}`)
    const found = [
      ...differences(expected, got, 'result'),
      ...differences(snapshotOf(world, fromCall), await readSnapshot(real, fromCall)),
    ]
    if (found.length > 0) return describeDifference(found, steps, at)
  }
  for (const { state, reason } of world.calls) increment(happened, `${state.state}: ${reason}`)
  return undefined
}

// The first call that a step can change.
function firstChangeable({ calls }: World): number {
  const firstOpen = calls.findIndex(({ state }) => !isFinal(state))
  const firstRecent = Math.max(0, calls.length - recentCalls)
  return firstOpen === -1 ? firstRecent : Math.min(firstOpen, firstRecent)
}

function describe(result: number | boolean | undefined): string {
  return typeof result === 'number' ? 'with a number' : String(result ?? 'without result')
}

function describeDifference(found: readonly string[], steps: readonly Step[], at: number): string {
  const before = steps.slice(Math.max(0, at + 1 - shownSteps), at + 1).map((step) => JSON.stringify(step))
  return [`step ${at}:`, ...found.slice(0, shownDifferences), 'the last steps were', ...before].join('\n')
}

function increment(happened: Map<string, number>, what: string): void {
  happened.set(what, (happened.get(what) ?? 0) + 1)
}
