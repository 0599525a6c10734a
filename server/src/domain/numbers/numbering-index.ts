// The in-memory index of the Russian registry files. A national number is the ten digits after +7, as a number.

export type RegistryRange = {
  // As the registry writes it, and its taxpayer number, which joins different spellings ('' in files without it).
  readonly organisation: string
  readonly inn: string
  // '' if the registry has none. A range assigned for the whole country has neither.
  readonly region: string
  readonly city: string
  // Reserved by the state: assigned to no operator.
  readonly isReserve: boolean
}

// The operator that serves a ported number.
export type PortedNumber = { readonly owner: string; readonly mnc: string }

export type NumberingIndex = {
  // Version of the data, for people and metrics; '' if nothing has been imported.
  readonly version: string
  // Whether the registry for this first digit (3, 4, 8 or 9) was imported: only then a missing range means that the number is
  // not assigned.
  readonly covers: (national: number) => boolean
  readonly find: (national: number) => RegistryRange | undefined
  readonly ported: (national: number) => PortedNumber | undefined
}

export const emptyNumberingIndex: NumberingIndex = {
  version: '',
  covers: () => false,
  find: () => undefined,
  ported: () => undefined,
}
