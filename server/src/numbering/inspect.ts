// What the operator asks of the data in force: what it is, what it says of one number; and the way back.

import { join } from 'node:path'
import type { NumberingStatus, NumberLookup } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../errors.ts'
import { loadFile } from './load-file.ts'
import { loadNumbering } from './load-numbering.ts'
import { filesOf, importedAtMs, publish, readCurrent, readPrevious, registryKinds, versionOf } from './pointer.ts'

export async function numberingStatus(dir: string): Promise<NumberingStatus> {
  const pointer = await readCurrent(dir)
  const { registries, ported, changes } = pointer
  return {
    version: versionOf(pointer),
    importedAtMs: await importedAtMs(dir),
    registries: registries.map(({ kind, source, rows, ranges, numbers, organisations }) => ({
      kind: registryKinds[kind],
      source,
      rows,
      ranges,
      numbers,
      organisations,
    })),
    ported: ported && { source: ported.source, numbers: ported.numbers, asOf: ported.asOf },
    changes: changes && { changes: changes.changes, asOf: changes.asOf },
    canRollBack: (await readPrevious(dir)) !== undefined,
  }
}

export async function lookUpNumber(dir: string, national: number): Promise<NumberLookup> {
  const { current, openingFailure } = await loadNumbering(dir)
  if (openingFailure) throw new UsageError(`The numbering data cannot be read: ${openingFailure.message}`)
  const index = current()
  return {
    national,
    isCovered: index.covers(national),
    range: index.find(national),
    ported: index.ported(national),
  }
}

// Puts the version before in force again; twice is back to where one was. Says the version that is in force then.
export async function rollBack(dir: string): Promise<string> {
  const [current, previous] = [await readCurrent(dir), await readPrevious(dir)]
  if (previous === undefined) throw new UsageError('There is no version to go back to.')
  for (const seal of filesOf(previous)) {
    await loadFile(join(dir, seal.file), seal).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new UsageError(`The version before cannot be read, so this one stays: ${why}`)
    })
  }
  await publish(dir, current, previous)
  return versionOf(previous)
}
