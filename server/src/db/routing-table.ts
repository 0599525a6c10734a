// Trunks, caller and confirmation numbers, prices and the kill switch, in memory: every call needs them and operators change
// them. They are read twice a second, so a change takes effect in every process within a second. If a read fails, the last
// table stays in use.

import type { Clock } from '../clock.ts'
import { createPrefixGate, type PrefixGate } from '../domain/fraud/prefix-gate.ts'
import type { Price } from '../domain/money/tariff.ts'
import type { CallerRange } from '../domain/trunks/caller-pool.ts'
import type { ConfirmationNumber } from '../domain/trunks/confirmation-number.ts'
import { codesFor } from '../domain/trunks/routing.ts'
import type { Trunk } from '../domain/trunks/trunk.ts'
import { readConfirmationNumbers } from './confirmation-number.ts'
import type { Database } from './database.ts'
import { readPrefixState } from './prefix-breaker.ts'
import { readTariffs } from './tariff.ts'
import { readCallerRanges, readTrunks } from './trunk.ts'
import { readTrunkStop, type TrunkStop } from './trunk-stop.ts'

export type RoutingTable = {
  // Set while all trunks are stopped.
  readonly stop: TrunkStop | undefined
  // Why a prefix may not be called now, if so.
  readonly prefixRefusal: PrefixGate['refusalOf']
  readonly trunks: readonly Trunk[]
  readonly ranges: readonly CallerRange[]
  readonly confirmationNumbers: readonly ConfirmationNumber[]
  readonly pricesOf: (tariff: string) => readonly Price[]
  // Whether the tariff charges failed calls.
  readonly chargesFailed: (tariff: string) => boolean
  // Codes that a call to the country can show.
  readonly codesFor: (country: string) => readonly string[]
  // By the database's clock.
  readonly readAt: Date
}

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
  const [stop, prefixes, trunks, ranges, confirmationNumbers, tariffs, { rows }] = await Promise.all([
    readTrunkStop(globalDatabase),
    readPrefixState(globalDatabase),
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readConfirmationNumbers(globalDatabase),
    readTariffs(globalDatabase),
    globalDatabase.query<{ now: Date }>('SELECT clock_timestamp() AS now'),
  ])
  gate.load(prefixes)
  const prices = new Map(tariffs.map((tariff) => [tariff.code, tariff.prices]))
  const charging = new Set(tariffs.filter(({ chargesFailed }) => chargesFailed).map(({ code }) => code))
  const codes = new Map<string, readonly string[]>()
  return {
    stop,
    prefixRefusal: gate.refusalOf,
    trunks,
    ranges,
    confirmationNumbers,
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
