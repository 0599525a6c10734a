// Trunks, caller and confirmation numbers, prices and the kill switch, in memory: every call needs them and operators change
// them. They are read twice a second, so a change takes effect in every process within a second. If a read fails, the last
// table stays in use.

import type { Clock } from '../clock.ts'
import { createPrefixGate, type PrefixGate } from '../domain/fraud/prefix-gate.ts'
import type { Price } from '../domain/money/tariff.ts'
import type { CallerRange } from '../domain/trunks/caller-pool.ts'
import type { ConfirmationNumber } from '../domain/trunks/confirmation-number.ts'
import { liveRanges } from '../domain/trunks/number-spans.ts'
import { codesFor } from '../domain/trunks/routing.ts'
import type { ActiveSwitchOver } from '../domain/trunks/switch-over.ts'
import type { Trunk } from '../domain/trunks/trunk.ts'
import { readQuarantines } from './caller-number.ts'
import { readConfirmationNumbers } from './confirmation-number.ts'
import type { Database } from './database.ts'
import { readPrefixState } from './prefix-breaker.ts'
import { readActiveSwitchOvers } from './switch-over.ts'
import { readTariffs } from './tariff.ts'
import { readCallerRanges, readTrunks } from './trunk.ts'
import { readTrunkStop, type TrunkStop } from './trunk-stop.ts'

// What a call is planned with.
export type CallRouting = {
  // Set while all trunks are stopped.
  readonly stop: TrunkStop | undefined
  // Why a prefix may not be called now, if so.
  readonly prefixRefusal: PrefixGate['refusalOf']
  // How many calls an hour one service may make to a prefix.
  readonly prefixCap: PrefixGate['capOf']
  readonly trunks: readonly Trunk[]
  readonly switchOvers: readonly ActiveSwitchOver[]
  // Every caller number, and those that calls may show.
  readonly ownedRanges: readonly CallerRange[]
  readonly ranges: readonly CallerRange[]
  readonly pricesOf: (tariff: string) => readonly Price[]
  // Whether the tariff charges failed calls.
  readonly chargesFailed: (tariff: string) => boolean
  // Codes that a call to the country can show.
  readonly codesFor: (country: string) => readonly string[]
  // By the database's clock.
  readonly readAt: Date
}

export type RoutingTable = CallRouting & { readonly confirmationNumbers: readonly ConfirmationNumber[] }

const refreshMs = 500

export async function createRoutingTable(
  globalDatabase: Database,
  clock: Clock,
): Promise<{ readonly current: () => RoutingTable; readonly close: () => Promise<void> }> {
  const gate = createPrefixGate(clock.scaledMs(1_000) / 1_000)
  let table = await readRoutingTable(globalDatabase, gate)
  const closing = new AbortController()
  const refreshing = (async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(refreshMs, closing.signal)
      if (!closing.signal.aborted) table = await readRoutingTable(globalDatabase, gate).catch(() => table)
    }
  })()
  return {
    current: () => table,
    close: async () => {
      closing.abort()
      await refreshing
    },
  }
}

async function readRoutingTable(globalDatabase: Database, gate: PrefixGate): Promise<RoutingTable> {
  const [calls, confirmationNumbers] = await Promise.all([
    readCallRouting(globalDatabase, gate),
    readConfirmationNumbers(globalDatabase),
  ])
  return { ...calls, confirmationNumbers }
}

// Once. The gate counts the calls that it lets through, so a caller that places none brings a new one.
export async function readCallRouting(globalDatabase: Database, gate: PrefixGate): Promise<CallRouting> {
  const [stop, prefixes, trunks, switchOvers, ownedRanges, quarantines, tariffs, { rows }] = await Promise.all([
    readTrunkStop(globalDatabase),
    readPrefixState(globalDatabase),
    readTrunks(globalDatabase),
    readActiveSwitchOvers(globalDatabase),
    readCallerRanges(globalDatabase),
    readQuarantines(globalDatabase),
    readTariffs(globalDatabase),
    globalDatabase.query<{ now: Date }>('SELECT clock_timestamp() AS now'),
  ])
  gate.load(prefixes)
  const ranges = liveRanges(ownedRanges, quarantines)
  const prices = new Map(tariffs.map((tariff) => [tariff.code, tariff.prices]))
  const charging = new Set(tariffs.filter(({ chargesFailed }) => chargesFailed).map(({ code }) => code))
  const codes = new Map<string, readonly string[]>()
  return {
    stop,
    prefixRefusal: gate.refusalOf,
    prefixCap: gate.capOf,
    trunks,
    switchOvers,
    ownedRanges,
    ranges,
    pricesOf: (tariff) => prices.get(tariff) ?? [],
    chargesFailed: (tariff) => charging.has(tariff),
    codesFor: (country) => {
      const known = codes.get(country) ?? codesFor(trunks, ranges, country)
      codes.set(country, known)
      return known
    },
    readAt: rows[0]?.now ?? new Date(0),
  }
}
