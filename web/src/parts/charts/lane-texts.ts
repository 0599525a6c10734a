// Where the texts at the points of a lane stand, so that none covers another or leaves the lane. All measures are shares of its width.

export type Place = 'above' | 'below'
type Point = { readonly at: number; readonly text: string; readonly place: Place }
// Before: it ends at its point.
export type Placed = { readonly place: Place; readonly isBefore: boolean }
type Stretch = { readonly place: Place; readonly from: number; readonly to: number }

// Undefined: there is no room for the text; the point stays.
export function placeTexts(points: readonly Point[], letterWidth: number): readonly (Placed | undefined)[] {
  const taken: Stretch[] = []
  return points.map(({ at, text, place }) => {
    if (text === '') return undefined
    const width = (text.length + paddingLetters) * letterWidth
    const other = place === 'above' ? 'below' : 'above'
    for (const wanted of [place, other] as const) {
      const isBefore = at + width > 1
      const stretch = { place: wanted, from: isBefore ? at - width : at, to: isBefore ? at : at + width }
      if (stretch.from < 0 || taken.some((one) => overlaps(one, stretch))) continue
      taken.push(stretch)
      return { place: wanted, isBefore }
    }
    return undefined
  })
}

const paddingLetters = 2

function overlaps(one: Stretch, other: Stretch): boolean {
  return one.place === other.place && one.from < other.to && other.from < one.to
}
