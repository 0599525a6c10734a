// Trunks, caller and confirmation numbers, prices and the kill switch, in memory: every call needs them and operators change
// them. They are read twice a second, so a change takes effect in every process within a second. If a read fails, the last
// table stays in use. Trunks and caller numbers that have not changed keep their arrays, because what is derived from them is
// expensive: with 100 000 single numbers, a good part of a second.

import { createPrefixGate, type PrefixGate } from '../../domain/protection/prefix-gate.ts'
import type { CallerRange } from '../../domain/trunks/caller-pool.ts'
import type { ConfirmationNumber } from '../../domain/trunks/confirmation-number.ts'
import { liveRanges } from '../../domain/trunks/number-spans.ts'
import { codesFor } from '../../domain/trunks/routing.ts'
import type { ActiveSwitchOver } from '../../domain/trunks/switch-over.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import type { Clock } from '../../process/clock.ts'
import type { Database, Session } from '../core/database.ts'
import { inOneMessage } from '../core/one-message.ts'
import { type PriceTable, readPriceTable } from '../money/tariff.ts'
import { readPrefixState } from '../protection/prefix-breaker.ts'
import { readTrunkStop, type TrunkStop } from '../protection/trunk-stop.ts'
import { readQuarantines } from './caller-number.ts'
import { readConfirmationNumbers } from './confirmation-number.ts'
import { readActiveSwitchOvers } from './switch-over.ts'
import { parseRanges, readRangeTexts, readTrunks } from './trunk.ts'

// Trunks and the numbers that they show.
type TrunkNumbers = {
  // Everything they were made from.
  readonly source: string
  readonly trunks: readonly Trunk[]
  // Every caller number, and those that calls may show.
  readonly ownedRanges: readonly CallerRange[]
  readonly ranges: readonly CallerRange[]
  // Codes that a call to the country can show.
  readonly codesFor: (country: string) => readonly string[]
}

// What a call is planned with.
export type CallRouting = TrunkNumbers &
  PriceTable & {
    // Set while all trunks are stopped.
    readonly stop: TrunkStop | undefined
    // Why a prefix may not be called now, if so.
    readonly prefixRefusal: PrefixGate['refusalOf']
    // How many calls an hour one service may make to a prefix.
    readonly prefixCap: PrefixGate['capOf']
    readonly switchOvers: readonly ActiveSwitchOver[]
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
      await clock.pause(refreshMs, closing.signal)
      if (!closing.signal.aborted) table = await readRoutingTable(globalDatabase, gate, table).catch(() => table)
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

async function readRoutingTable(
  globalDatabase: Database,
  gate: PrefixGate,
  last?: RoutingTable,
): Promise<RoutingTable> {
  const session = inOneMessage(globalDatabase)
  const [calls, confirmationNumbers] = await Promise.all([
    readCallRouting(session, gate, last),
    readConfirmationNumbers(session),
  ])
  return { ...calls, confirmationNumbers }
}

// Once. The gate counts the calls that it lets through, so a caller that places none brings a new one.
export async function readCallRouting(
  globalDatabase: Session,
  gate: PrefixGate,
  last?: CallRouting,
): Promise<CallRouting> {
  const [stop, prefixes, numbers, switchOvers, prices] = await Promise.all([
    readTrunkStop(globalDatabase),
    readPrefixState(globalDatabase),
    readTrunkNumbers(globalDatabase, last),
    readActiveSwitchOvers(globalDatabase),
    readPriceTable(globalDatabase),
  ])
  gate.load(prefixes)
  return {
    ...numbers,
    ...prices,
    stop,
    prefixRefusal: gate.refusalOf,
    prefixCap: gate.capOf,
    switchOvers,
  }
}

async function readTrunkNumbers(globalDatabase: Session, last: TrunkNumbers | undefined): Promise<TrunkNumbers> {
  const [trunks, texts, quarantines] = await Promise.all([
    readTrunks(globalDatabase),
    readRangeTexts(globalDatabase),
    readQuarantines(globalDatabase),
  ])
  const source = JSON.stringify([trunks, texts, quarantines])
  if (last?.source === source) return last
  const ownedRanges = parseRanges(texts)
  const ranges = liveRanges(ownedRanges, quarantines)
  const codes = new Map<string, readonly string[]>()
  return {
    source,
    trunks,
    ownedRanges,
    ranges,
    codesFor: (country) => {
      const known = codes.get(country) ?? codesFor(trunks, ranges, country)
      codes.set(country, known)
      return known
    },
  }
}
