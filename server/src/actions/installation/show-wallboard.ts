// The installation at a glance: what is wrong first, then how busy it is.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type BoardMinute, readBacklog, readBoardMinutes } from '../../db/installation/wallboard.ts'
import type { Finding } from '../../domain/installation/finding.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { minuteMs } from '../../domain/values/time.ts'
import { showSwitchOvers } from '../trunks/switch-overs.ts'
import { showTrunks } from '../trunks/trunks-view.ts'

type Deps = { readonly slots: SlotMap; readonly timeScale: number; readonly nowSeconds: () => number }
type Wallboard = WebOutput<'wallboard'>

const seriesMinutes = 60
// Delivery is retried for hours: a webhook that has just become due is not late.
const webhookLateMsMax = 60_000

// Without findings: the examination has not ended yet.
export async function showWallboard(deps: Deps, findings: readonly Finding[] | undefined): Promise<Wallboard> {
  const { slots, timeScale, nowSeconds } = deps
  const [{ trunks, stop }, { switchOvers }, minutes, ...backlogs] = await Promise.all([
    showTrunks(deps),
    showSwitchOvers(deps),
    readBoardMinutes(slots.globalDatabase, timeScale),
    ...slots.databases.map((database) => readBacklog(database)),
  ])
  const sum = (valueOf: (backlog: (typeof backlogs)[number]) => number) =>
    backlogs.reduce((total, backlog) => total + valueOf(backlog), 0)
  const carriers = trunks.filter(({ isTest }) => !isTest)
  return {
    at: nowSeconds() * 1_000,
    stop,
    trunks: carriers.map((trunk) => ({
      name: trunk.name,
      health: trunk.health,
      channels: trunk.channels,
      activeCalls: trunk.activeCalls,
      callsPerSecond: trunk.callsPerSecond,
      startedPerSecond: trunk.startedPerSecond,
      dialled: trunk.calls.dialled,
      rang: trunk.calls.rang,
    })),
    moved: switchOvers
      .filter(({ endedMs, movedMs }) => endedMs === null && movedMs !== null)
      .map(({ id, provider, from, to, movedMs, fromCount, toCount }) => ({
        id,
        provider,
        from,
        to,
        at: movedMs ?? 0,
        fromShare: shareOf(fromCount),
        toShare: shareOf(toCount),
      })),
    minutes: everyMinute(minutes, nowSeconds() * 1_000, timeScale),
    waiting: sum(({ waiting }) => waiting),
    webhooksDue: sum(({ webhooksDue }) => webhooksDue),
    areWebhooksLate: backlogs.some(({ webhookLateMs }) => webhookLateMs > webhookLateMsMax * timeScale),
    faults: findings === undefined ? null : faultsOf(findings),
    earned: toDecimal(sum(({ charged }) => charged) as MicroAmount),
  }
}

// Trunks say themselves what is wrong with them.
function faultsOf(findings: readonly Finding[]): NonNullable<Wallboard['faults']> {
  return findings
    .filter(({ check, level }) => level === 'bad' && check !== 'trunks')
    .map(({ check, subject, cause }) => ({ check, subject, cause }))
}

// Minutes without a call too, so that a gap is seen as one.
function everyMinute(minutes: readonly BoardMinute[], nowMs: number, timeScale: number): Wallboard['minutes'] {
  const stepMs = minuteMs * timeScale
  const byStep = new Map(minutes.map((minute) => [Math.floor(minute.at / stepMs), minute]))
  const last = Math.max(Math.floor(nowMs / stepMs), ...byStep.keys())
  return Array.from({ length: seriesMinutes }, (_, index) => {
    const step = last - seriesMinutes + 1 + index
    const { dialled = 0, rang = 0 } = byStep.get(step) ?? {}
    return { at: step * stepMs, dialled, rang }
  })
}

function shareOf({ dialled, rang }: { readonly dialled: number; readonly rang: number }): number {
  return dialled === 0 ? 0 : rang / dialled
}
