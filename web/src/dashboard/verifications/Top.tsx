// The chart above the list: it counts what the list shows.

import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { type Bin, Histogram, Legend } from '../../parts/charts/Histogram.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith, useSells } from '../../queries.ts'
import { hourMs } from '../../time.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './verifications.module.css'

type Counts = WebOutput<'verification-counts'>

export function Top({
  input,
  onChoose,
}: {
  readonly input: WebInput<'verification-counts'>
  readonly onChoose: (from: string, until: string) => void
}) {
  const query = useReadWith('verification-counts', input)
  return (
    <Loaded query={query}>
      {(counts) => <Chart counts={counts} isTest={input.traffic === 'test'} onChoose={onChoose} />}
    </Loaded>
  )
}

function Chart({
  counts,
  isTest,
  onChoose,
}: {
  readonly counts: Counts
  readonly isTest: boolean
  readonly onChoose: (from: string, until: string) => void
}) {
  const words = useScreenWords('verifications')
  const { status } = useWords()
  const formats = useFormats()
  const isHourly = counts.by === 'hour'
  const nameOf = (at: number) => (isHourly ? formats.clock(at) : formats.day(at))
  const bins = binsOf(counts).map(
    (bin): Bin => ({ ...bin, title: words.bin(nameOf(bin.at), bin.succeeded, bin.failed, bin.open) }),
  )
  const sum = (of: (count: Counts['counts'][number]) => number) => counts.counts.reduce((all, one) => all + of(one), 0)
  const [calls, succeeded, failed] = [sum((one) => one.calls), sum((one) => one.succeeded), sum((one) => one.failed)]
  const ended = succeeded + failed
  return (
    <section className={css.top}>
      <div>
        <div className={css.legend}>
          <Legend
            of={[
              { kind: 'succeeded', text: status.succeeded },
              { kind: 'failed', text: status.failed },
              { kind: 'open', text: words.open },
            ]}
          />
          <span>{isHourly ? words.perHour : words.perDay}</span>
        </div>
        <Histogram
          bins={bins}
          label={words.chart(words.found(calls))}
          by={counts.by}
          until={counts.until}
          isTest={isTest}
          onChoose={(first, last) => {
            const [from, until] = [bins[first]?.at, bins[last + 1]?.at ?? counts.until]
            if (from !== undefined) onChoose(String(from), String(until))
          }}
        />
      </div>
      <div className={css.figures}>
        <div>
          <b>{formats.number(calls)}</b>
          <small>{words.found(calls).replace(/^[\d\s,.]+/u, '')}</small>
        </div>
        <div>
          <b>{ended === 0 ? '–' : formats.percent(succeeded / ended)}</b>
          <small>{words.share}</small>
        </div>
        {useSells() && (
          <div>
            <b>{formats.money(sum((one) => one.charged))}</b>
            <small>{isTest ? words.free : words.spent}</small>
          </div>
        )}
      </div>
    </section>
  )
}

// Every hour or day of the period, also those without calls. Days are those the server counted; an empty one is 24 hours long.
function binsOf({ by, from, until, counts }: Counts): readonly Omit<Bin, 'title'>[] {
  const byStart = new Map(counts.map((count) => [count.at, count]))
  const starts = by === 'hour' ? hoursBetween(from, until) : counts.map(({ at }) => at)
  return starts.map((at) => {
    const { calls = 0, succeeded = 0, failed = 0 } = byStart.get(at) ?? {}
    return { at, succeeded, failed, open: Math.max(0, calls - succeeded - failed) }
  })
}

function hoursBetween(from: number, until: number): number[] {
  return Array.from({ length: Math.max(0, Math.round((until - from) / hourMs)) }, (_, hour) => from + hour * hourMs)
}
