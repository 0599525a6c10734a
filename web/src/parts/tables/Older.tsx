import { useFormats } from '../../formats.ts'
import { Button } from '../forms/Button.tsx'
import { classes } from '../text/classes.ts'
import { Mistake } from '../text/State.tsx'
import css from './older.module.css'

type List = {
  readonly nextBefore: string | number | null
  readonly error: unknown
  readonly loadOlder: () => Promise<void>
}

// The seconds of an ID since 2026 stand above its lowest 23 bits.
const idEpochMs = 1_767_225_600_000

// The button below a list that has older rows.
export function Older({
  list: { nextBefore, error, loadOlder },
  text,
  note,
  className,
}: {
  readonly list: List
  readonly text: string
  readonly note?: string
  readonly className?: string | undefined
}) {
  if (nextBefore === null) return null
  return (
    <div className={classes(css.older, className)}>
      {note !== undefined && <span>{note}</span>}
      <Button onClick={() => void loadOlder().catch(() => undefined)}>{text}</Button>
      <Mistake error={error} />
    </div>
  )
}

// Of a rare kind only so many calls are compared at once: says how far the search has come.
export function OlderCalls({
  list,
  lastId,
  words,
}: {
  readonly list: List
  readonly lastId: number | undefined
  readonly words: {
    readonly older: string
    readonly searchOn: string
    readonly searchedTo: (at: string) => string
  }
}) {
  const formats = useFormats()
  const { nextBefore } = list
  const common = { list, className: css.quiet }
  if (nextBefore === null || nextBefore === lastId) return <Older {...common} text={words.older} />
  const searchedTo = idEpochMs + Math.floor(Number(nextBefore) / 2 ** 23) * 1_000
  return <Older {...common} text={words.searchOn} note={words.searchedTo(formats.dayClock(searchedTo))} />
}
