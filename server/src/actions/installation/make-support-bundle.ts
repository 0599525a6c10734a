// Everything that helps to find a fault, and nothing about customers or subscribers: it is sent to people outside. It is logged first;
// without a database to log it in, it contains only what doctor finds and the settings.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readSupportCounts } from '../../db/installation/support-counts.ts'
import { readBacklog } from '../../db/installation/wallboard.ts'
import { type Finding, reasonOf } from '../../domain/installation/finding.ts'
import { findingsToShare, settingsToShare, withoutPersonalData } from '../../domain/installation/support-bundle.ts'
import { showSwitchOvers } from '../trunks/switch-overs.ts'
import { listTrunks } from '../trunks/trunks.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
  readonly version: string
  readonly settings: () => ReadonlyMap<string, string>
  readonly examine: () => Promise<{ readonly findings: readonly Finding[] }>
}

type SupportBundle = { readonly name: string; readonly text: string; readonly isLogged: boolean }

export async function makeSupportBundle(deps: Deps, actor: Actor): Promise<SupportBundle> {
  const { slots, version, settings, nowSeconds } = deps
  const madeAt = new Date(nowSeconds() * 1_000).toISOString()
  const entry = { accountId: null, action: 'support bundle', details: {} }
  const isLogged = await logAction(slots.globalDatabase, actor, entry).then(
    () => true,
    () => false,
  )
  const [{ findings }, network, databases] = await Promise.all([
    deps.examine(),
    isLogged ? unlessFailed(readNetwork(deps)) : undefined,
    isLogged
      ? Promise.all(slots.databases.map((database) => unlessFailed(readDatabase(database, nowSeconds()))))
      : undefined,
  ])
  const bundle = {
    format: 1,
    findings: findingsToShare(findings),
    settings: settingsToShare(settings()),
    network: network ?? null,
    databases: databases ?? [],
  }
  const shown = { made_at: madeAt, version, ...(withoutPersonalData(bundle) as typeof bundle) }
  const name = `ringproof-support-${madeAt.slice(0, 19).replaceAll(':', '-')}.json`
  return { name, text: JSON.stringify(shown, null, 2), isLogged }
}

async function readNetwork(deps: Deps) {
  const [{ trunks, stop }, { isOn, switchOvers }] = await Promise.all([listTrunks(deps), showSwitchOvers(deps)])
  return {
    isStopped: stop !== undefined,
    // Neither addresses nor users.
    trunks: trunks.map((trunk) => ({
      name: trunk.name,
      isOn: trunk.isOn,
      isDraining: trunk.isDraining,
      isTest: trunk.isTest,
      priority: trunk.priority,
      transport: trunk.transport,
      channels: trunk.channels,
      callsPerSecond: trunk.callsPerSecond,
      callerNumbers: trunk.callerNumbers,
      nodesUp: trunk.states.filter(({ isUp }) => isUp).length,
      nodes: trunk.states.length,
    })),
    isSwitchOverOn: isOn,
    switchOvers: switchOvers.map((one) => ({
      country: one.country,
      provider: one.provider,
      from: one.from,
      to: one.to,
      phase: one.phase,
      movedAt: timeOf(one.movedMs),
      endedAt: timeOf(one.endedMs),
      end: one.reason,
      fromCount: one.fromCount,
      toCount: one.toCount,
      isPinned: one.isPinned,
    })),
  }
}

async function readDatabase(database: Database, nowSeconds: number) {
  const [counts, { waiting, webhooksDue, webhookLateMs }] = await Promise.all([
    readSupportCounts(database, Math.floor(nowSeconds)),
    readBacklog(database),
  ])
  return { ...counts, callsWaiting: waiting, webhooksDue, webhookLateMs: Math.round(webhookLateMs) }
}

// One server that fails must not cost the rest: it may be what the bundle is made for.
async function unlessFailed<Part>(part: Promise<Part>): Promise<Part | { readonly failure: string }> {
  return part.catch((error: unknown) => ({ failure: reasonOf(error) }))
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
