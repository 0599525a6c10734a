import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { fewCalls, type Headline, headlineOf, type Said } from '../../headline.ts'
import type { words as en } from './words.en.ts'

type Cells = WebOutput<'deliverability'>['cells']
type Formats = { readonly number: (value: number) => string; readonly percent: (share: number) => string }

// The page opens with what an operator would ask first.
export function deliverabilityHeadline(
  cells: Cells,
  lost: Said | undefined,
  words: typeof en,
  formats: Formats,
): Headline {
  const calls = cells.reduce((sum, { dialled }) => sum + dialled, 0)
  const compared = cells.filter(({ dialled, usual }) => dialled >= fewCalls && usual !== null)
  const lead = words.comparedLead(compared.length, cells.length)
  const none = calls === 0 ? { title: words.empty, lead: words.emptyText } : { title: words.tooFew, lead }
  return headlineOf(
    { lost, wrong: fallenOf(cells, words, formats), calls: compared.length, good: compared.length },
    { none, allBad: none, well: { title: words.asUsual, lead: `${words.asUsualLead} ${lead}` } },
  )
}

function fallenOf(cells: Cells, words: typeof en, formats: Formats) {
  const fallen = cells.filter(({ hasFallen, dialled }) => hasFallen && dialled >= fewCalls)
  const [worst] = fallen
  if (worst === undefined) return []
  const isOneTrunk = new Set(cells.map(({ trunk }) => trunk)).size === 1
  const lead = (isOneTrunk ? words.fallenOneLead : words.fallenLead)(
    formats.percent(worst.rang / worst.dialled),
    formats.percent(worst.usual ?? 0),
    formats.number(worst.dialled),
  )
  const more = fallen.length > 1 ? words.andMore(fallen.length - 1) : ''
  return [{ title: `${words.fallen(worst.provider || words.unknown, worst.trunk)}${more}`, lead, tone: 'bad' as const }]
}
