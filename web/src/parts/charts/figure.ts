export type Figure = {
  readonly name: string
  readonly value: string
  // The change against the time before, or another note.
  readonly note?: string | undefined
  readonly isWorse?: boolean
  readonly to?: string
}
