// Trunks, our own numbers and prices, kept in memory: they are asked by every call and changed by hand. Read again every
// second, so that a change is in force everywhere within a moment; a read that fails leaves the last one in force.

import type { Clock } from '../clock.ts'
import type { CallerRange } from '../domain/caller-pool.ts'
import type { ConfirmationNumber } from '../domain/confirmation-number.ts'
import { codesFor, type Trunk } from '../domain/routing.ts'
import type { Price } from '../domain/tariff.ts'
import { readConfirmationNumbers } from './confirmation-number.ts'
import type { Database } from './database.ts'
import { readTariffs } from './tariff.ts'
import { readCallerRanges, readTrunks } from './trunk.ts'

export type RoutingTable = {
  readonly trunks: readonly Trunk[]
  readonly ranges: readonly CallerRange[]
  readonly confirmationNumbers: readonly ConfirmationNumber[]
  readonly pricesOf: (tariff: string) => readonly Price[]
  // Codes that a call to the country can show.
  readonly codesFor: (country: string) => readonly string[]
  // By the database's clock.
  readonly readAt: Date
}

const refreshMs = 1_000

export async function openRoutingTable(
  home: Database,
  clock: Clock,
): Promise<{ readonly current: () => RoutingTable; readonly close: () => Promise<void> }> {
  let table = await readRoutingTable(home)
  const closing = new AbortController()
  const refreshing = (async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(refreshMs, closing.signal)
      if (!closing.signal.aborted) table = await readRoutingTable(home).catch(() => table)
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

async function readRoutingTable(home: Database): Promise<RoutingTable> {
  const [trunks, ranges, confirmationNumbers, tariffs, { rows }] = await Promise.all([
    readTrunks(home),
    readCallerRanges(home),
    readConfirmationNumbers(home),
    readTariffs(home),
    home.query<{ now: Date }>('SELECT clock_timestamp() AS now'),
  ])
  const prices = new Map(tariffs.map((tariff) => [tariff.code, tariff.prices]))
  const codes = new Map<string, readonly string[]>()
  return {
    trunks,
    ranges,
    confirmationNumbers,
    pricesOf: (tariff) => prices.get(tariff) ?? [],
    codesFor: (country) => {
      const known = codes.get(country) ?? codesFor(trunks, ranges, country)
      codes.set(country, known)
      return known
    },
    readAt: rows[0]?.now ?? new Date(0),
  }
}
