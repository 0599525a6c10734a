// What a headline may claim: never more than the page knows. Data that are too old say only that; what is wrong comes before every good
// word; without a call it is unknown whether calls work. Pure: the age of the data is an argument.

// Data that are older are not of now.
export const staleMs = 10_000
// A share of fewer calls is not compared with another.
export const fewCalls = 50

// The sentence, and what it stands on.
export type Said = { readonly title: string; readonly lead?: string | undefined }
export type Headline = Said & { readonly tone: 'lost' | 'bad' | 'poor' | 'unknown' | 'well' }

export type Facts = {
  // Since when nothing has come, said in words; undefined: the data are of now.
  readonly lost: Said | undefined
  // The worst first.
  readonly wrong: readonly (Said & { readonly tone: 'bad' | 'poor' })[]
  // What the good word would stand on, and how much of it was good.
  readonly calls: number
  readonly good: number
}

type Says = {
  // There were no calls.
  readonly none: Said
  // There were some, and none was good.
  readonly allBad: Said
  readonly well: Said
}

export function headlineOf({ lost, wrong, calls, good }: Facts, says: Says): Headline {
  if (lost !== undefined) return { ...lost, tone: 'lost' }
  const [worst] = wrong
  if (worst !== undefined) return worst
  if (calls === 0) return { ...says.none, tone: 'unknown' }
  if (good === 0) return { ...says.allBad, tone: 'bad' }
  return { ...says.well, tone: 'well' }
}

type Answer = {
  // How long ago the server last answered.
  readonly ageMs: number
  // It was asked since, and did not answer.
  readonly isUnreachable: boolean
}

export function isLost({ ageMs, isUnreachable }: Answer): boolean {
  return isUnreachable || ageMs > staleMs
}

// A share with its evidence: few calls are counted, not divided.
export function shareSaid(good: number, calls: number, percent: (share: number) => string): string | undefined {
  return calls < fewCalls ? undefined : percent(good / calls)
}
