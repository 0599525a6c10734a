import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useScreenWords } from '../../words/words.ts'
import { rowText } from './code-list.ts'
import css from './codes.module.css'

type Gap = WebOutput<'caller-numbers'>['gaps'][number]

// More would be a wall of digits; the picture shows the rest.
const listedMax = 40

// Codes that no call can show, in words: each says why.
export function Holes({
  gaps,
  left,
  shown,
  onShow,
}: {
  readonly gaps: readonly Gap[]
  readonly left: number
  readonly shown: number
  readonly onShow: (code: number) => void
}) {
  const words = useScreenWords('caller-numbers')
  const isIn = ({ first, last }: Gap) => Number(first) <= shown && shown <= Number(last)
  const chosen = gaps.find(isIn) ?? gaps[0]
  const rest = left + gaps.slice(listedMax).reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0)
  return (
    <section className={css.holes} aria-labelledby="holes">
      <h2 id="holes">{words.holes}</h2>
      <p>{words.holesNote}</p>
      <div className={css.codes}>
        {gaps.slice(0, listedMax).map((gap) => (
          <button key={gap.first} type="button" aria-pressed={isIn(gap)} onClick={() => onShow(Number(gap.first))}>
            {rowText(gap)}
          </button>
        ))}
        {rest > 0 && <span>{words.more(rest)}</span>}
      </div>
      {chosen && (
        <p className={css.why} role="status">
          {words.why[chosen.cause](rowText(chosen), chosen.trunk)}
        </p>
      )}
    </section>
  )
}
