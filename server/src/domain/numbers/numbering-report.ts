// What the operator is told of the numbering data: what an import did, and what is in force.

export type RegistryKind = 'ABC-3xx' | 'ABC-4xx' | 'ABC-8xx' | 'DEF-9xx'

// A stretch of consecutive numbers whose holder is another than before; '' where there is none.
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

// Numbers that a file gives to two rows. The row that begins first keeps them.
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

// `isNew` tells whether anything else is in force now than before.
export type RegistryImport = {
  readonly version: string
  readonly isNew: boolean
  readonly registries: readonly ImportedRegistry[]
}

export type PortedImport = {
  readonly version: string
  readonly isNew: boolean
  // Files that are older than what was imported already, and have been left alone.
  readonly skipped: readonly string[]
  readonly portedRows: number
  readonly returnedRows: number
  // Rows of one file that name a number again; the last one counts.
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
  readonly canRollBack: boolean
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

// How far a long work has come, as a part of the whole.
export type ReportProgress = (label: string, share: number) => void
