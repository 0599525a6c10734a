import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertCallerRanges, readQuarantines } from '../../db/trunks/caller-number.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { insertCallerRange, lockCallerRanges, readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import type { CallerRange } from '../../domain/trunks/caller-pool.ts'
import { type CodeRange, codesIn, codesOnlyIn, coverageOf } from '../../domain/trunks/code-coverage.ts'
import { type ImportPlan, type NumberFile, planImport, readNumberFile } from '../../domain/trunks/number-import.ts'
import { liveRanges } from '../../domain/trunks/number-spans.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
}

export async function addCallerRange(deps: Deps, actor: Actor, range: CallerRange): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, (session) => addCallerRangeIn(session, actor, range))
}

// For use inside a larger transaction. A number belongs to one trunk and one country, so ranges never overlap.
export async function addCallerRangeIn(session: Session, actor: Actor, range: CallerRange): Promise<void> {
  const trunks = await readTrunks(session)
  if (!trunks.some(({ name }) => name === range.trunk))
    throw new UsageError(`Trunk ${range.trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
  await lockCallerRanges(session)
  const ranges = await readCallerRanges(session)
  const other = ranges.find(({ first, last }) => first <= range.last && range.first <= last)
  if (other) {
    const numbers = `${other.first} to ${other.last}`
    throw new UsageError(`Trunk ${other.trunk} already has ${numbers}, for ${other.country}.`)
  }
  const called = (await readConfirmationNumbers(session)).find(
    ({ number }) => range.first <= number && number <= range.last,
  )
  if (called) throw new UsageError(`${called.number} is a confirmation number of trunk ${called.trunk}.`)
  await insertCallerRange(session, range)
  await logAction(session, actor, { accountId: null, action: 'caller range added', details: range })
}

// What an import of caller numbers would do: how many are new, and which codes flash calls could show that they cannot show now.

type ImportCommand = { readonly trunk: string; readonly country: string; readonly text: string }

type ImportPreview = Omit<ImportPlan, 'ranges'> &
  Omit<NumberFile, 'spans'> & {
    // Codes that become possible, and how many stay impossible.
    readonly gained: readonly CodeRange[]
    readonly missingAfter: number
  }

export async function previewCallerImport({ slots }: Deps, command: ImportCommand): Promise<ImportPreview> {
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
async function readImport(session: Session, { trunk, country, text }: ImportCommand): Promise<ReadImport> {
  const trunks = await readTrunks(session)
  if (!trunks.some(({ name }) => name === trunk))
    throw new UsageError(`Trunk ${trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
  const owned = await readCallerRanges(session)
  const confirmationNumbers = await readConfirmationNumbers(session)
  const file = readNumberFile(text)
  return { plan: planImport(file.spans, { trunk, country }, owned, confirmationNumbers), file, trunks, owned }
}

// Adds a list of caller numbers to a trunk, as its carrier sent it. What is not new is left out, and so is what has another use.

// How many the preview has shown. If it is another number now, nothing is added.
type Command = ImportCommand & { readonly expected: number | undefined }

export async function importCallerNumbers(
  deps: Deps,
  actor: Actor,
  { expected, ...command }: Command,
): Promise<{ readonly added: number }> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    const { plan } = await readImport(session, command)
    const { ranges, added } = plan
    if (expected !== undefined && expected !== added) throw new Denial('conflict')
    if (added === 0) return { added }
    await insertCallerRanges(session, ranges)
    const { trunk, country } = command
    const spans = ranges.slice(0, loggedMax).map(({ first, last }) => ({ first, last }))
    const details = { trunk, country, numbers: added, ranges: ranges.length, spans }
    await logAction(session, actor, { accountId: null, action: 'caller numbers imported', details })
    return { added }
  })
}

// A list of single numbers would make an entry of the log very long.
const loggedMax = 20
