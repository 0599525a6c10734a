// What the operator's registry files know of Russian numbers. A national number is the ten digits behind +7, as a number.

export type RegistryRange = {
  // As the registry writes it; and the taxpayer number that joins its spellings ('' in files that lack it).
  readonly organisation: string
  readonly inn: string
  // '' where the registry tells none. A range that is given out for the whole country has neither.
  readonly region: string
  readonly city: string
  // Held back by the state: given out to no operator of subscribers.
  readonly isReserve: boolean
}

// Who serves a number that was ported.
export type PortedNumber = { readonly owner: string; readonly mnc: string }

export type NumberingIndex = {
  // Names the data, for people and metrics; '' when nothing was ever imported.
  readonly version: string
  // Whether the registry of this kind of number (by its first digit: 3, 4, 8, 9) was imported: only then does the
  // absence of a range mean that the number was never given out.
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
