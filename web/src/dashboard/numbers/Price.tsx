import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useSells } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './numbers.module.css'
import { isSettled, type NumberCheck } from './use-number-check.ts'

// What the list would cost, the button that runs it, and how far it is.
export function Price({ check }: { readonly check: NumberCheck }) {
  const words = useScreenWords('numbers')
  const formats = useFormats()
  const sells = useSells()
  const { priced, running, rows } = check
  if (priced === undefined) return null
  const { preview, places } = priced
  const settled = rows.filter(isSettled).length
  const isDone = settled === places.length
  return (
    <section className={css.price} aria-label={words.before}>
      <Figures
        of={[
          { name: words.figures.valid, value: formats.number(preview.valid) },
          { name: words.figures.duplicates, value: formats.number(preview.duplicates.length), note: words.notes.free },
          { name: words.figures.invalid, value: formats.number(preview.invalid), note: words.notes.free },
          ...(sells
            ? [
                { name: words.figures.cost, value: formats.money(preview.cost), note: words.notes.cost },
                { name: words.figures.balance, value: formats.money(preview.balance) },
              ]
            : []),
        ]}
      />
      {preview.unsold > 0 && <p className={css.note}>{words.unsold(preview.unsold)}</p>}
      {preview.cost > preview.balance && rows.length === 0 && (
        <p className={css.warn}>
          {words.tooLittle} <Link to={dashboardAddress('balance', 'live')}>{words.toBalance}</Link>
        </p>
      )}
      {preview.obstacle !== null && <p className={css.warn}>{words.obstacles[preview.obstacle]}</p>}
      {!isDone && (
        <div className={css.foot}>
          {/* Stop stands beside it: the second press of a double click must not stop what the first began. */}
          <Button look="ink" disabled={preview.obstacle !== null || running.isBusy} onClick={running.start}>
            {rows.length === 0 || running.isBusy
              ? words.run(preview.valid, sells ? formats.money(preview.cost) : undefined)
              : words.goOn(places.length - settled)}
          </Button>
          {running.isBusy && <Button onClick={check.stop}>{words.stop}</Button>}
          <Progress settled={settled} all={places.length} isShown={running.isBusy} />
        </div>
      )}
      <Mistake error={running.error} />
    </section>
  )
}

function Progress({
  settled,
  all,
  isShown,
}: {
  readonly settled: number
  readonly all: number
  readonly isShown: boolean
}) {
  const words = useScreenWords('numbers')
  if (!isShown) return null
  const text = words.progress(settled, all)
  return (
    <>
      <progress className={css.progress} max={all} value={settled} aria-label={text} />
      <span className={css.note}>{text}</span>
    </>
  )
}
