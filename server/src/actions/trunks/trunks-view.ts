// The trunks as the console shows them: health with its cause first, then what nodes have measured.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readOperatorActions } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ReadReport, readTrunkReports } from '../../db/trunks/trunk-state.ts'
import { readAnsweredTests } from '../../db/trunks/trunk-test.ts'
import { dialString, sampleInvite } from '../../domain/trunks/sample-invite.ts'
import { optionsOf } from '../../domain/trunks/trunk.ts'
import { reportAgeMsMax, trunkHealth } from '../../domain/trunks/trunk-health.ts'
import { type ListedTrunk, listTrunks } from './trunks.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
}

type ShownTrunk = WebOutput<'trunks'>['trunks'][number]

export async function showTrunks({ slots, nowSeconds }: Deps): Promise<WebOutput<'trunks'>> {
  const [{ trunks, stop }, reports, tests] = await Promise.all([
    listTrunks({ slots }),
    readTrunkReports(slots.globalDatabase),
    readAnsweredTests(slots.globalDatabase),
  ])
  const nowMs = nowSeconds() * 1_000
  return {
    stop: stop ? { reason: stop.reason, stoppedAt: stop.stoppedAt.getTime() } : null,
    trunks: trunks.map((trunk) => {
      const own = reports.filter((report) => report.trunk === trunk.name)
      const isCallerIdChanged = tests.some(
        ({ trunk: name, callerNumber, seenDigits }) =>
          name === trunk.name && seenDigits !== String(callerNumber).slice(-4),
      )
      const facts = { trunk, reports: own, isStopped: stop !== undefined, isCallerIdChanged }
      const carrier = trunkHealth({ ...facts, trunk: { ...trunk, isOn: true, isDraining: false }, isStopped: false })
      return {
        ...settingsOf(trunk),
        ...figuresOf(trunk, own),
        health: shownHealth(trunkHealth(facts), nowMs),
        carrier: shownHealth(carrier, nowMs),
      }
    }),
  }
}

function settingsOf(trunk: ListedTrunk) {
  const { name, isOn, isDraining, passwordSealed, callerNumbers } = trunk
  const hasPassword = passwordSealed !== null
  return { name, isOn, isDraining, hasPassword, ...optionsOf(trunk), callerNumbers, dialString: dialString(trunk) }
}

// Sums over the nodes that report now; of delays the longest.
function figuresOf(trunk: ListedTrunk, reports: readonly ReadReport[]) {
  const fresh = reports.filter(({ ageMs }) => ageMs <= reportAgeMsMax).map(({ facts }) => facts)
  const sum = (valueOf: (facts: ReadReport['facts']) => number) =>
    fresh.reduce((total, facts) => total + valueOf(facts), 0)
  const most = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null)
    return known.length > 0 ? Math.max(...known) : null
  }
  const refusals = new Map<string, number>()
  for (const { calls } of fresh) {
    for (const [status, count] of Object.entries(calls.refusals)) {
      refusals.set(status, (refusals.get(status) ?? 0) + count)
    }
  }
  const ourAddresses = [...new Set(reports.flatMap(({ facts }) => facts.ourAddress ?? []))].toSorted()
  return {
    ourAddresses,
    sampleInvite: sampleInvite(trunk, ourAddresses[0]),
    rttMs: most(fresh.map(({ rttMs }) => rttMs)),
    activeCalls: sum(({ activeCalls }) => activeCalls),
    startedPerSecond: sum(({ callsPerSecond }) => callsPerSecond),
    calls: {
      dialled: sum(({ calls }) => calls.dialled),
      rang: sum(({ calls }) => calls.rang),
      answered: sum(({ calls }) => calls.answered),
      postDialMsP95: most(fresh.map(({ calls }) => calls.postDialMsP95)),
      refusals: [...refusals]
        .map(([status, calls]) => ({ status: status === 'none' ? null : Number(status), calls }))
        .toSorted((one, other) => other.calls - one.calls),
    },
  }
}

function shownHealth(
  { state, cause, status, node, changedAgoMs, reportAgeMs }: ReturnType<typeof trunkHealth>,
  nowMs: number,
): ShownTrunk['health'] {
  return {
    state,
    cause,
    status,
    node,
    changedAt: changedAgoMs === null ? null : nowMs - changedAgoMs,
    reportedAt: reportAgeMs === null ? null : nowMs - reportAgeMs,
  }
}

// Who changed a trunk, and what.

const entriesMax = 20

export async function showTrunkLog({ slots }: Pick<Deps, 'slots'>, name: string): Promise<WebOutput<'trunk-log'>> {
  const actions = await readOperatorActions(slots.globalDatabase, { name, countMax: entriesMax })
  return {
    entries: actions.map(({ id, createdAt, who, action, details }) => ({
      id,
      at: createdAt.getTime(),
      who,
      action,
      changes: changesIn(details),
    })),
  }
}

// `channels: 30 → 60`.
function changesIn({ before, after }: Readonly<Record<string, unknown>>): string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.keys(after).map((name) => `${name}: ${textOf(before[name])} → ${textOf(after[name])}`)
}

function textOf(value: unknown): string {
  return value === null || value === undefined || value === '' ? '–' : JSON.stringify(value).replaceAll('"', '')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
