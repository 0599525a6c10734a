import { useFormats } from '../../formats.ts'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './trunks.module.css'

const nearlyFull = 0.8

export function Meter({
  name,
  value,
  limit,
}: {
  readonly name: string
  readonly value: number
  readonly limit: number
}) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  const share = Math.min(1, value / limit)
  return (
    <div className={css.meter}>
      <small>
        <span>{name}</span>
        <b>
          {words.of(formats.number(value), Number.isInteger(limit) ? formats.number(limit) : formats.seconds(limit))}
        </b>
      </small>
      <div
        className={classes(css.bar, share > nearlyFull && css.full)}
        role="meter"
        aria-label={name}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={limit}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
