import { useFormats } from '../../formats.ts'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './codes.module.css'

// How evenly the newest calls have used the numbers: a bar for each count of calls.
export function Use({ country }: { readonly country: string }) {
  const words = useScreenWords('caller-numbers')
  const formats = useFormats()
  return (
    <section className={css.part}>
      <h2>{words.use}</h2>
      <Loaded query={useReadWith('caller-use', { country })}>
        {({ calls, numbers, unused, most, isEven, histogram }) => {
          if (calls === 0) return <p className={css.note}>{words.useNone}</p>
          const count = formats.number(calls)
          const highest = Math.max(1, ...histogram)
          return (
            <>
              <p className={css.note}>{isEven ? words.useEven(count) : words.useUneven(count)}</p>
              <div className={css.bars} role="img" aria-label={words.useLabel}>
                {histogram.map((bin, times) => (
                  <i key={times} title={words.useBin(bin, times)} style={{ height: `${(bin / highest) * 100}%` }} />
                ))}
              </div>
              <div className={css.axis} aria-hidden="true">
                <span>{0}</span>
                <span>{words.useAxis}</span>
                <span>{`${histogram.length - 1}${most > histogram.length - 1 ? '+' : ''}`}</span>
              </div>
              <p className={css.note}>
                {words.useFacts(formats.number(numbers - unused), formats.number(numbers))} {words.useMost(most)}
              </p>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
