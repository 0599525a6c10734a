// What an import of caller numbers would do: how many are new, and which codes flash calls could show that they cannot show now.

import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readQuarantines } from '../../db/trunks/caller-number.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import type { CallerRange } from '../../domain/trunks/caller-pool.ts'
import { type CodeRange, codesIn, codesOnlyIn, coverageOf } from '../../domain/trunks/code-coverage.ts'
import { type ImportPlan, type NumberFile, planImport, readNumberFile } from '../../domain/trunks/number-import.ts'
import { liveRanges } from '../../domain/trunks/number-spans.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { UsageError } from '../../process/errors.ts'

export type ImportCommand = { readonly trunk: string; readonly country: string; readonly text: string }

export type ImportPreview = Omit<ImportPlan, 'ranges'> &
  Omit<NumberFile, 'spans'> & {
    // Codes that become possible, and how many stay impossible.
    readonly gained: readonly CodeRange[]
    readonly missingAfter: number
  }

export async function previewCallerImport(
  { slots }: { readonly slots: SlotMap },
  command: ImportCommand,
): Promise<ImportPreview> {
  const [{ plan, file, trunks, owned }, quarantines] = await Promise.all([
    readImport(slots.globalDatabase, command),
    readQuarantines(slots.globalDatabase),
  ])
  const live = liveRanges(owned, quarantines)
  const { ranges, ...counts } = plan
  const { spans: _, ...lines } = file
  const before = coverageOf({ trunks, live, owned }, command.country)
  const after = coverageOf({ trunks, live: [...live, ...ranges], owned: [...owned, ...ranges] }, command.country)
  return {
    ...counts,
    ...lines,
    gained: codesOnlyIn(after.counts, before.counts),
    missingAfter: codesIn(after.gaps),
  }
}

type ReadImport = {
  readonly plan: ImportPlan
  readonly file: NumberFile
  readonly trunks: readonly Trunk[]
  readonly owned: readonly CallerRange[]
}

// The list against what there is.
export async function readImport(session: Session, { trunk, country, text }: ImportCommand): Promise<ReadImport> {
  const trunks = await readTrunks(session)
  if (!trunks.some(({ name }) => name === trunk))
    throw new UsageError(`Trunk ${trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
  const owned = await readCallerRanges(session)
  const confirmationNumbers = await readConfirmationNumbers(session)
  const file = readNumberFile(text)
  return { plan: planImport(file.spans, { trunk, country }, owned, confirmationNumbers), file, trunks, owned }
}
