// Reports on the numbering data for the operator: what an import changed, and what is in use.

import { fetchResults } from '@ringproof/contract/lists/installation.ts'

type RegistryKind = 'ABC-3xx' | 'ABC-4xx' | 'ABC-8xx' | 'DEF-9xx'

// A run of consecutive numbers whose holder changed; '' if there is none.
export type HolderChange = {
  readonly first: number
  readonly last: number
  readonly before: string
  readonly after: string
}

export type ChangeSum = { readonly ranges: number; readonly numbers: number; readonly largest: readonly HolderChange[] }

export type RegistryDiff = {
  readonly added: ChangeSum
  readonly removed: ChangeSum
  readonly changedOwner: ChangeSum
}

// What changed from the version that is kept to the one in use. A kind whose file is the same is left out.
export type VersionDiff = {
  readonly from: string
  readonly to: string
  readonly registries: readonly (RegistryDiff & { readonly kind: RegistryKind })[]
  // Undefined if nothing about ported numbers changed. `changes` are on top of the whole file.
  readonly ported: { readonly before: PortedCount; readonly after: PortedCount } | undefined
}

export type PortedCount = { readonly numbers: number; readonly changes: number }

// Numbers that a file assigns in two rows. The row that starts first keeps them.
export type RegistryConflict = {
  readonly first: number
  readonly last: number
  readonly kept: string
  readonly lost: string
}

export type ImportedRegistry = {
  readonly kind: RegistryKind
  readonly source: string
  readonly rows: number
  readonly ranges: number
  readonly numbers: number
  readonly diff: RegistryDiff
  readonly conflicts: readonly RegistryConflict[]
}

// `isNew`: the data in use has changed.
export type RegistryImport = {
  readonly version: string
  readonly isNew: boolean
  readonly registries: readonly ImportedRegistry[]
}

// `unchanged`: the files that the server has not changed since the last fetch.
export type RegistryFetch = RegistryImport & { readonly unchanged: readonly RegistryKind[] }

// The last time that somebody tried to fetch.
export type FetchAttempt = {
  readonly atMs: number
  readonly result: (typeof fetchResults)[number]
  // Why it failed.
  readonly reason: string
}

export type PortedImport = {
  readonly version: string
  readonly isNew: boolean
  // Files older than the imported data; they were ignored.
  readonly skipped: readonly string[]
  readonly portedRows: number
  readonly returnedRows: number
  // Rows that repeat a number of the same file; the last one counts.
  readonly repeatedRows: number
  readonly numbersBefore: number
  readonly numbersAfter: number
}

export type NumberingStatus = {
  readonly version: string
  readonly importedAtMs: number | undefined
  readonly registries: readonly {
    readonly kind: RegistryKind
    readonly source: string
    readonly rows: number
    readonly ranges: number
    readonly numbers: number
    readonly organisations: number
  }[]
  readonly ported: { readonly source: string; readonly numbers: number; readonly asOf: string } | undefined
  readonly changes: { readonly changes: number; readonly asOf: string } | undefined
  // The version that is kept, empty for the state before the first import; undefined if none is.
  readonly previousVersion: string | undefined
  // When the registry was last fetched, or found unchanged.
  readonly fetchedAtMs: number | undefined
  readonly lastAttempt: FetchAttempt | undefined
  // A process fetches now.
  readonly isFetching: boolean
}

export type NumberLookup = {
  readonly national: number
  readonly isCovered: boolean
  readonly range:
    | {
        readonly organisation: string
        readonly inn: string
        readonly region: string
        readonly city: string
        readonly isReserve: boolean
      }
    | undefined
  readonly ported: { readonly owner: string; readonly mnc: string } | undefined
}

// Progress of a long job, as a share from 0 to 1.
export type ReportProgress = (label: string, share: number) => void

export function isFetchResult(result: unknown): boolean {
  return fetchResults.some((one) => one === result)
}
