// Moves traffic between trunks by how they ring, and back; the head of domain/trunks/switch-over.ts says when. Any number of keepers may
// run it: one of them evaluates, the others find that it has been done.

import { logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readLiveCallerRanges } from '../../db/trunks/caller-number.ts'
import {
  beginEvaluation,
  endSwitchOver,
  foldRouteCounts,
  insertSwitchOver,
  lockActiveSwitchOvers,
  readPastSwitchOvers,
  readRouteCounts,
  readRouteUsuals,
  type StoredSwitchOver,
  updateSwitchOver,
} from '../../db/trunks/switch-over.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import { type ReadReport, readTrunkReports } from '../../db/trunks/trunk-state.ts'
import { servingTrunks, shownRanges, type TrunkRanges } from '../../domain/trunks/routing.ts'
import { countedMs, type Destination, type DestinationFacts, stepSwitchOver } from '../../domain/trunks/switch-over.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { reportAgeMsMax, trunkHealth } from '../../domain/trunks/trunk-health.ts'
import { dayMs } from '../../domain/values/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

type SwitchOverDeps = {
  readonly slots: SlotMap
  readonly timeScale: number
  readonly clock: Clock
  readonly log: Logger
}

const roundMs = 10_000
// In real time: spares the database when timeScale is small.
const roundMsMin = 200
// Usual is what is older than the window in which a fall is looked for.
const usualAgeMs = 6 * 60_000
// A trunk with fewer free channels takes no more traffic.
const freeShareMin = 0.1

export function startSwitchOver(deps: SwitchOverDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const everyMs = Math.max(roundMs, roundMsMin / deps.timeScale)
  const watching = (async () => {
    while (!closing.signal.aborted) {
      await evaluate(deps, everyMs * deps.timeScale).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'switch-over evaluation failed'),
      )
      await deps.clock.sleep(everyMs, closing.signal)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

async function evaluate(deps: SwitchOverDeps, everyMs: number): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    // A little sooner, or each keeper would skip every other round.
    const started = await beginEvaluation(session, everyMs * 0.9)
    if (!started) return
    await foldRouteCounts(session, usualAgeMs * deps.timeScale, deps.timeScale)
    if (started.isOn) await stepDestinations(deps, session, started.nowMs)
  })
}

async function stepDestinations(deps: SwitchOverDeps, session: Session, nowMs: number): Promise<void> {
  const { timeScale } = deps
  const active = await lockActiveSwitchOvers(session)
  const counts = await readRouteCounts(session, nowMs - countedMs * timeScale)
  if (counts.length === 0 && active.length === 0) return
  const [trunks, ranges, reports, usuals, past] = [
    await readTrunks(session),
    await readLiveCallerRanges(session),
    await readTrunkReports(session),
    await readRouteUsuals(session),
    await readPastSwitchOvers(session, nowMs - dayMs * timeScale),
  ]
  const states = { ...healthOf(trunks, reports), nowMs, scale: timeScale }
  const destinations = new Map([...counts, ...active].map((one) => [keyOf(one), one]))
  for (const [key, { country, provider }] of destinations) {
    const inOrder = carriersOf({ trunks, ranges }, country)
    const isSame = (one: Destination) => keyOf(one) === key
    const facts: DestinationFacts = {
      ...states,
      trunks: inOrder,
      counts: counts.filter(isSame),
      usual: usuals.find((usual) => isSame(usual) && usual.trunk === inOrder[0]),
      past: past.filter(isSame),
    }
    await stepDestination(deps, session, { country, provider }, active.find(isSame), facts)
  }
}

async function stepDestination(
  { log }: SwitchOverDeps,
  session: Session,
  destination: Destination,
  current: StoredSwitchOver | undefined,
  facts: DestinationFacts,
): Promise<void> {
  const { country, provider } = destination
  const { next, end } = stepSwitchOver(current, facts)
  if (end !== undefined && current) {
    const { from, to } = current
    await endSwitchOver(session, current.id, end)
    log.warn({ country, provider, from, to, reason: end }, 'switch-over ended')
    if (current.phase === 'moved') await audit(session, 'traffic moved back', { ...destination, from, to, reason: end })
  } else if (next && !current) {
    const { from, to, fromCount } = next
    await insertSwitchOver(session, { ...destination, ...next })
    log.warn({ country, provider, from, to, dialled: fromCount.dialled, rang: fromCount.rang }, 'switch-over started')
  } else if (next && current) {
    const { from, to, fromCount, toCount } = next
    await updateSwitchOver(session, current.id, next)
    if (next.phase === current.phase) return
    log.warn({ country, provider, from, to, dialled: toCount.dialled, rang: toCount.rang }, 'traffic moved')
    await audit(session, 'traffic moved', { ...destination, from, to, fromCount, toCount })
  }
}

// Beside what operators did.
async function audit(session: Session, action: string, details: Readonly<Record<string, unknown>>): Promise<void> {
  const actor = { address: '', userAgent: '', operator: 'automatic' }
  await logAction(session, actor, { accountId: null, action, details })
}

// That can show a number in the country, in order.
function carriersOf({ trunks, ranges }: TrunkRanges, country: string): readonly string[] {
  return servingTrunks(trunks, country)
    .filter((trunk) => shownRanges(ranges, trunk, country).length > 0)
    .map(({ name }) => name)
}

function healthOf(trunks: readonly Trunk[], reports: readonly ReadReport[]) {
  const ofTrunk = ({ name }: Trunk) => reports.filter(({ trunk }) => trunk === name)
  const isHealthy = (trunk: Trunk) =>
    trunkHealth({ trunk, reports: ofTrunk(trunk), isStopped: false, isCallerIdChanged: false }).state !== 'down'
  const activeCalls = (trunk: Trunk) =>
    ofTrunk(trunk)
      .filter(({ ageMs }) => ageMs <= reportAgeMsMax)
      .reduce((sum, { facts }) => sum + facts.activeCalls, 0)
  const hasFreeChannels = (trunk: Trunk) => trunk.channels - activeCalls(trunk) >= trunk.channels * freeShareMin
  const namesOf = (chosen: readonly Trunk[]) => new Set(chosen.map(({ name }) => name))
  return { healthy: namesOf(trunks.filter(isHealthy)), withFreeChannels: namesOf(trunks.filter(hasFreeChannels)) }
}

function keyOf({ country, provider }: Destination): string {
  return JSON.stringify([country, provider])
}
