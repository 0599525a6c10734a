import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type Headline, headlineOf, type Said } from '../../headline.ts'
import type { words as en } from './words.en.ts'

type Shown = Pick<WebOutput<'protection'>, 'stop'> & { readonly rules: readonly { readonly hitsDay: number }[] }
type Replayed = WebOutput<'replay-fraud-rules'>

export function protectionHeadline({ rules, stop }: Shown, lost: Said | undefined, words: typeof en): Headline {
  const hits = rules.reduce((sum, { hitsDay }) => sum + hitsDay, 0)
  const { lead } = words
  if (lost !== undefined) return { ...lost, tone: 'lost' }
  if (stop !== null) return { title: words.allStopped, lead, tone: 'bad' }
  return { title: hits === 0 ? words.noneToday : words.stoppedToday(hits), lead, tone: 'unknown' }
}

// What a limit would have done. A replay of nothing shows nothing.
export function replayHeadline(
  { calls }: Pick<Replayed, 'calls'>,
  { blocked, succeeded }: Pick<Replayed['rules'][number], 'blocked' | 'succeeded'>,
  days: number,
  lost: Said | undefined,
  words: typeof en,
): Headline {
  const some = { title: words.wouldBlock(blocked, days), lead: words.succeeded(succeeded) }
  const isWorse = blocked > 0 && succeeded > 0
  return headlineOf(
    { lost, wrong: isWorse ? [{ ...some, tone: 'bad' }] : [], calls, good: calls },
    {
      none: { title: words.nothingReplayed(days), lead: words.nothingReplayedLead },
      allBad: some,
      well: blocked === 0 ? { title: words.wouldBlockNone(calls, days) } : some,
    },
  )
}
