// A run with its result: what it did, in figures, and what it violated. Passing runs leave nothing behind; the
// histories of failed runs are kept, with every log.

import { rmSync } from 'node:fs'
import { type Violation, violationsOf } from './check.ts'
import { type Histories, readHistories, recorded } from './histories.ts'
import { type RunOptions, runOnce } from './run.ts'

export type RunResult = {
  readonly seconds: number
  readonly violations: readonly Violation[]
  readonly figures: Readonly<Record<string, number>>
}

const shownMax = 12

export async function checkRun(options: RunOptions, say: (text: string) => void): Promise<RunResult> {
  const startedMs = performance.now()
  const secondsNow = () => (performance.now() - startedMs) / 1_000
  const ran = await runOnce(options, (text) => say(`  ${secondsNow().toFixed(1).padStart(5)} s  ${text}`))
  const histories = readHistories(ran.historyDirectory)
  const violations = violationsOf(histories)
  const figures = { ...figuresOf(histories), copies: ran.copies, 'died by themselves': ran.deaths.length }
  const seconds = secondsNow()
  say(`  faults: ${formatCounts(faultCounts(histories))}`)
  say(`  ${formatCounts(figures)}`)
  if (ran.deaths.length > 0) say(`  ended by themselves and were started again: ${ran.deaths.join(', ')}`)
  if (violations.length > 0 && options.mutation === undefined) say(`  histories and logs: ${ran.directory}`)
  else rmSync(ran.directory, { recursive: true })
  return { seconds, violations, figures }
}

export function printViolations(violations: readonly Violation[], say: (text: string) => void): void {
  for (const [invariant, all] of Map.groupBy(violations, (violation) => violation.invariant)) {
    for (const { what } of all.slice(0, shownMax)) say(`  broken: ${invariant}: ${what}`)
    if (all.length > shownMax) say(`  broken: ${invariant}: and ${all.length - shownMax} more`)
  }
}

function faultCounts({ faults }: Histories): Readonly<Record<string, number>> {
  const kinds = Map.groupBy(
    faults.filter(({ act }) => act !== 'recovered'),
    ({ act, victim }) => `${act} ${victim.replace(/-\d+$/, '')}`,
  )
  const counts = [...kinds].map(([kind, all]) => [kind, all.length] as const)
  return Object.fromEntries(counts.toSorted(([a], [b]) => a.localeCompare(b, 'en')))
}

function figuresOf(histories: Histories): Readonly<Record<string, number>> {
  const { client, faults, receiver } = histories
  const verifications = recorded(histories, 'verification')
  const starts = client.filter(({ method }) => method !== 'getInfo')
  const count = (isSo: (one: (typeof verifications)[number]) => boolean) => verifications.filter(isSo).length
  const webhooks = recorded(histories, 'webhook')
  return {
    kills: faults.filter(({ act }) => !['recovered', 'pause', 'standstill'].includes(act)).length,
    pauses: faults.filter(({ act }) => act === 'pause').length,
    tries: client.length,
    'without response': client.filter(({ response, isUnsent }) => !response && !isUnsent).length,
    accepted: verifications.length,
    succeeded: count(({ state }) => state === 'succeeded'),
    failed: count(({ state }) => state === 'failed'),
    'ended by the keeper': count(({ reason = '' }) => /^(lost|lost-ringing|not-started)$/.test(reason)),
    // The keeper released what they held: their process was killed before it had noted the ring.
    'rang without a note': unnotedRings(histories),
    undone: count(({ reason }) => reason === 'not-dispatched'),
    refused: starts.filter(({ response }) => response !== undefined && response.status >= 400 && response.status < 500)
      .length,
    'refused for now': starts.filter(({ response }) => (response?.status ?? 0) >= 500).length,
    webhooks: webhooks.length,
    dead: webhooks.filter(({ state }) => state === 'dead').length,
    'webhook requests': receiver.length,
  }
}

function unnotedRings(histories: Histories): number {
  const rings = Map.groupBy(
    histories.carrier.filter((line) => line.type === 'dialog' && line.event === '180'),
    ({ phone }) => phone,
  )
  return recorded(histories, 'verification').filter(
    ({ reason, phone, acceptedAtMs, endedAtMs = 0 }) =>
      reason === 'lost' && rings.get(phone)?.some(({ atMs }) => atMs >= acceptedAtMs && atMs <= endedAtMs),
  ).length
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
