// Operator commands on the numbering data in use: status, lookup of one number, rollback.

import { join } from 'node:path'
import type { NumberingIndex } from '../domain/numbers/numbering-index.ts'
import type { NumberingStatus, NumberLookup } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../process/errors.ts'
import { isFetching, readFetchAttempt, readFetchState } from './fetch-state.ts'
import { loadFile } from './load-file.ts'
import { loadNumbering } from './load-numbering.ts'
import { filesOf, importedAtMs, publish, readCurrent, readPrevious, registryKinds, versionOf } from './pointer.ts'

export async function numberingStatus(dir: string): Promise<NumberingStatus> {
  const [pointer, previous] = await Promise.all([readCurrent(dir), readPrevious(dir)])
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
    previousVersion: previous && versionOf(previous),
    fetchedAtMs: (await readFetchState(dir))?.checkedAtMs,
    lastAttempt: await readFetchAttempt(dir),
    isFetching: await isFetching(dir),
  }
}

export async function lookUpNumber(dir: string, national: number): Promise<NumberLookup> {
  const { current, loadFailure } = await loadNumbering(dir)
  if (loadFailure) throw new UsageError(`The numbering data cannot be read: ${loadFailure.message}`)
  const index = current()
  return {
    national,
    isCovered: index.covers(national),
    range: index.find(national),
    ported: index.ported(national),
  }
}

// As the API loads it.
export async function readIndex(dir: string): Promise<NumberingIndex> {
  const { current, loadFailure } = await loadNumbering(dir)
  if (loadFailure) throw loadFailure
  return current()
}

// Switches back to the previous version; a second rollback undoes the first. Returns the version then in use.
export async function rollBack(dir: string): Promise<string> {
  const [current, previous] = [await readCurrent(dir), await readPrevious(dir)]
  if (previous === undefined) throw new UsageError('There is no previous version to roll back to.')
  for (const seal of filesOf(previous)) {
    await loadFile(join(dir, seal.file), seal).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new UsageError(`The previous version cannot be read, so the current one stays: ${why}`)
    })
  }
  await publish(dir, current, previous)
  return versionOf(previous)
}
