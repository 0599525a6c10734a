// The switch-over between trunks, as the engine does it: counts of first attempts, what is usual, and the steps of each destination.

import {
  inFront,
  type RouteCount,
  type SwitchOver,
  stepSwitchOver,
  switchedTo,
} from '../../server/src/domain/trunks/switch-over.ts'
import { dayMs, minuteMs } from '../../server/src/domain/values/time.ts'
import { type ProviderName, providerNames, type TrunkName, trunkNames } from './cast.ts'
import type { Carried, RouteMinute, SwitchedOver } from './events.ts'

export const country = 'RU'

const countedMs = 15 * minuteMs
// Younger counts are looked at for a fall.
const usualAgeMs = 5 * minuteMs
// In this time. A fall is only seen in more.
const fewCalls = 30

type Usual = { dialled: number; rang: number; countedToMs: number }
type Active = { row: SwitchedOver; step: SwitchOver }

export type Switching = {
  // The trunks to try, in order.
  readonly inOrder: <Routed extends { readonly trunk: string }>(
    routes: readonly Routed[],
    provider: ProviderName,
    fraction: number,
  ) => readonly Routed[]
  readonly note: (provider: ProviderName, trunk: TrunkName, atMs: number, hasRung: boolean) => void
  // To be called every few seconds.
  readonly step: (atMs: number) => void
  // Nothing can change by a step, as long as there are few calls and traffic is where it belongs.
  readonly isQuiet: () => boolean
  readonly result: () => {
    readonly switchOvers: readonly SwitchedOver[]
    readonly routeMinutes: readonly RouteMinute[]
    readonly usuals: Carried['usuals']
  }
}

export function createSwitching(before: Carried['usuals']): Switching {
  const minutes = new Map<string, RouteMinute>()
  const unfolded: RouteMinute[] = []
  const usuals = new Map<string, Usual>(
    before.map(({ provider, trunk, ...usual }) => [`${provider} ${trunk}`, { ...usual }]),
  )
  const active = new Map<ProviderName, Active>()
  const past: SwitchedOver[] = []
  const recent = new Map<ProviderName, RouteMinute[]>()

  const countOf = (minute: RouteMinute) => minutes.get(keyOf(minute))?.dialled ?? 0
  const isQuiet = () => active.size === 0 && unfolded.reduce((sum, minute) => sum + countOf(minute), 0) < fewCalls
  const fold = (atMs: number) => {
    while (unfolded[0] && unfolded[0].minuteMs < atMs - usualAgeMs) {
      const minute = unfolded.shift() as RouteMinute
      // While traffic is switched over, the calls that are left do not show what is usual.
      if (!active.has(minute.provider)) addUsual(usuals, minutes.get(keyOf(minute)) ?? minute, atMs)
    }
  }
  const stepOne = (provider: ProviderName, atMs: number) => {
    const current = active.get(provider)
    const own = (recent.get(provider) ?? []).filter((minute) => minute.minuteMs >= atMs - countedMs)
    const counts: RouteCount[] = own.map((minute) => minutes.get(keyOf(minute)) ?? minute)
    const healthy = new Set<string>(trunkNames)
    const { next, end } = stepSwitchOver(current?.step, {
      trunks: trunkNames,
      healthy,
      withFreeChannels: healthy,
      counts,
      usual: usuals.get(`${provider} ${trunkNames[0]}`),
      past: past.filter((row) => row.provider === provider && (row.endedMs ?? 0) >= atMs - dayMs).map(pastOf),
      nowMs: atMs,
      scale: 1,
    })
    if (end !== undefined && current) {
      active.delete(provider)
      past.push({ ...current.row, endedMs: atMs, reason: end })
    } else if (next) active.set(provider, { step: next, row: rowOf(provider, next, current?.row, atMs) })
  }
  return {
    inOrder: (routes, provider, fraction) => {
      const listed = [...active].map(([name, one]) => ({ ...one.step, country, provider: name }))
      return inFront(routes, switchedTo(listed, { country, provider }, fraction))
    },
    note: (provider, trunk, atMs, hasRung) => {
      const minute = { provider, trunk, minuteMs: Math.floor(atMs / minuteMs) * minuteMs }
      const known = minutes.get(keyOf(minute))
      const counted = { ...minute, dialled: (known?.dialled ?? 0) + 1, rang: (known?.rang ?? 0) + (hasRung ? 1 : 0) }
      minutes.set(keyOf(minute), counted)
      if (!known) {
        unfolded.push(counted)
        const own = (recent.get(provider) ?? []).filter((one) => one.minuteMs >= atMs - countedMs)
        recent.set(provider, [...own, counted])
      }
    },
    step: (atMs) => {
      fold(atMs)
      if (isQuiet()) return
      for (const provider of providerNames) stepOne(provider, atMs)
    },
    isQuiet,
    result: () => ({
      switchOvers: [...past, ...[...active.values()].map(({ row }) => row)],
      routeMinutes: [...minutes.values()],
      usuals: listUsuals(usuals),
    }),
  }
}

function addUsual(usuals: Map<string, Usual>, { provider, trunk, dialled, rang }: RouteMinute, atMs: number): void {
  const key = `${provider} ${trunk}`
  const known = usuals.get(key) ?? { dialled: 0, rang: 0, countedToMs: atMs }
  const halved = 0.5 ** ((atMs - known.countedToMs) / dayMs)
  usuals.set(key, { dialled: known.dialled * halved + dialled, rang: known.rang * halved + rang, countedToMs: atMs })
}

function keyOf({ provider, trunk, minuteMs: at }: Pick<RouteMinute, 'provider' | 'trunk' | 'minuteMs'>): string {
  return `${provider} ${trunk} ${at}`
}

function listUsuals(usuals: ReadonlyMap<string, Usual>): Carried['usuals'] {
  return [...usuals].map(([key, usual]) => {
    const [provider, trunk] = key.split(' ') as [ProviderName, TrunkName]
    return { provider, trunk, ...usual }
  })
}

function pastOf({ to, movedMs, reason, endedMs, holdMs }: SwitchedOver) {
  return { to, wasMoved: movedMs !== null, reason: reason as 'recovered', endedMs: endedMs ?? 0, holdMs }
}

function rowOf(
  provider: ProviderName,
  { from, to, phase, sinceMs, fromCount, toCount, usual, recoveredSinceMs, holdMs }: SwitchOver,
  before: SwitchedOver | undefined,
  atMs: number,
): SwitchedOver {
  const isNew = phase === 'moved' && before?.movedMs === null
  return {
    provider,
    from,
    to,
    phase,
    sinceMs,
    movedMs: isNew ? atMs : (before?.movedMs ?? null),
    endedMs: null,
    reason: null,
    fromCount,
    toCount,
    usual,
    recoveredSinceMs,
    holdMs,
    movedCounts: isNew ? { from: fromCount, to: toCount } : (before?.movedCounts ?? null),
  }
}
