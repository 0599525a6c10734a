import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { spacedRange } from '../../parts/phone/phone-number.ts'
import { Entries } from '../../parts/tables/Entries.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './codes.module.css'

type Out = WebOutput<'caller-numbers'>['quarantines'][number]

export function Quarantine({ quarantines }: { readonly quarantines: readonly Out[] }) {
  const words = useScreenWords('caller-numbers')
  return (
    <section className={css.part}>
      <h2>{words.quarantine}</h2>
      <p className={css.note}>{quarantines.length === 0 ? words.noQuarantine : words.quarantineLead}</p>
      <Entries className={css.list}>
        {quarantines.map((out) => (
          <OneOut key={`${out.trunk} ${out.first}`} out={out} />
        ))}
      </Entries>
    </section>
  )
}

function OneOut({ out }: { readonly out: Out }) {
  const words = useScreenWords('caller-numbers')
  const formats = useFormats()
  const giveBack = useChange('return-caller-numbers', ['caller-numbers', 'caller-use'])
  const { trunk, first, last, reason, since, until } = out
  const range = spacedRange(out)
  return (
    <li>
      <div>
        <b className={css.digits}>{range}</b>
        <span className={css.warn}>{until === null ? words.quarantined : words.cooling}</span>
        <p>{reason}</p>
        <small>
          {trunk}, {words.since(formats.dayClock(since))},{' '}
          {until === null ? words.untilReturned : words.until(formats.dayClock(until))}
        </small>
        <Mistake error={giveBack.error} />
      </div>
      <AdminButton
        isSmall
        disabled={giveBack.isPending}
        aria-label={words.giveBackOf(range)}
        onClick={() =>
          giveBack.mutate({ trunk, first, last }, { onSuccess: () => showNotice({ text: words.returned(range) }) })
        }
      >
        {words.giveBack}
      </AdminButton>
    </li>
  )
}
