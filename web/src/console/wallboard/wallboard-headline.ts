import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type Headline, headlineOf, type Said, shareSaid } from '../../headline.ts'
import { needsOf } from './needs-of.ts'
import type { words as en } from './words.en.ts'

type Board = WebOutput<'wallboard'>
type Formats = { readonly number: (value: number) => string; readonly percent: (share: number) => string }

export function wallboardHeadline(board: Board, lost: Said | undefined, words: typeof en, formats: Formats): Headline {
  if (lost === undefined && board.trunks.length === 0) {
    return { title: words.noTrunks, lead: words.noTrunksLead, tone: 'unknown' }
  }
  const needs = needsOf(board)
  const [first] = needs
  const down = needs.length === 1 && first?.kind === 'trunk' && first.trunk.health.state === 'down' ? first : undefined
  const title = down === undefined ? words.wrong(needs.length) : words.down(down.trunk.name)
  const { dialled, rang } = totalOf(board.minutes)
  const taking = board.trunks.filter(isTaking).length
  const evidence = words.evidence(
    formats.number(dialled),
    formats.number(rang),
    shareSaid(rang, dialled, formats.percent),
  )
  const none = { title: words.noCallsHour, lead: words.answering(taking) }
  const well = { title: words.well, lead: `${evidence} ${words.waitingNow(board.waiting)}` }
  return headlineOf(
    {
      lost,
      wrong: needs.length === 0 ? [] : [{ title, lead: words.wrongLead, tone: 'bad' }],
      calls: dialled,
      good: rang,
    },
    {
      none: board.faults === null ? { ...none, lead: `${none.lead} ${words.unexamined}` } : none,
      allBad: { title: words.nothingRang, lead: evidence },
      well: board.faults === null ? { title: words.ringing, lead: `${evidence} ${words.unexamined}` } : well,
    },
  )
}

// A trunk that drains or is switched off offers no channel.
export function isTaking({ health: { state } }: Board['trunks'][number]): boolean {
  return state !== 'draining' && state !== 'disabled'
}

export function totalOf(minutes: Board['minutes']): { readonly dialled: number; readonly rang: number } {
  return {
    dialled: minutes.reduce((sum, { dialled }) => sum + dialled, 0),
    rang: minutes.reduce((sum, { rang }) => sum + rang, 0),
  }
}
