import { useLostSince } from '../connection.ts'
import { useFormats } from '../formats.ts'
import { useWords } from '../words/words.ts'
import css from './shell.module.css'

// Under the band of every page, while the server does not answer. It is there before, so that its text is announced.
export function ConnectionLine() {
  const { state } = useWords()
  const formats = useFormats()
  const since = useLostSince()
  return (
    <div role="status" className={css.connection}>
      {since !== undefined && <p>{state.lostLine(formats.clock(since))}</p>}
    </div>
  )
}
