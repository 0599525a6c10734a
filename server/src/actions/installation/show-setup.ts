// How far the installation is from its first real call.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { hasRungBefore, hasRungLately } from '../../db/verifications/first-call.ts'
import type { Finding } from '../../domain/installation/finding.ts'
import { evaluateSetup, type SetupFacts } from '../../domain/installation/setup.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }
type Setup = SetupFacts & { readonly steps: ReturnType<typeof evaluateSetup> }

export async function showSetup({ slots, nowSeconds }: Deps, findings: readonly Finding[]): Promise<Setup> {
  const { globalDatabase, databases } = slots
  const [listed, ranges, tariffs] = await Promise.all([
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readTariffs(globalDatabase),
  ])
  const trunks = listed.filter(({ isOn, isTest }) => isOn && !isTest).map(({ name }) => name)
  const rung = await Promise.all([
    hasRungLately(globalDatabase, trunks),
    ...databases.map((database) => hasRungBefore(database, trunks)),
  ])
  const nowMs = nowSeconds() * 1_000
  const facts: SetupFacts = {
    trunks,
    numbers: numbersIn(ranges.filter(({ trunk }) => trunks.includes(trunk))),
    tariffs: tariffs.filter(({ prices }) => prices.some(({ validFrom }) => validFrom.getTime() <= nowMs)).length,
    hasRung: rung.includes(true),
  }
  return { ...facts, steps: evaluateSetup(facts, findings) }
}
