// The opt-out list holds hashes only: a number is looked up, then added or taken off.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsHelper } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AskWhy } from '../../parts/forms/AskWhy.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './protection.module.css'

type Found = WebOutput<'find-opt-out'>

export function OptOuts({ shown: { optOuts, isMoreOptOuts } }: { readonly shown: WebOutput<'protection'> }) {
  const words = useScreenWords('protection')
  const isHelper = useIsHelper()
  const [phone, setPhone] = useState('')
  const [isAsking, setAsking] = useState(false)
  const find = useChange('find-opt-out')
  return (
    <section className={css.part}>
      <h2>{words.optOuts}</h2>
      <p className={css.note}>{isMoreOptOuts ? words.optOutsMore(optOuts) : words.optOutsCount(optOuts)}</p>
      {isHelper && (
        <form
          className={css.find}
          onSubmit={(event) => {
            event.preventDefault()
            find.mutate({ phone: phone.trim() })
          }}
        >
          <Field
            label={words.phone}
            hint={words.phoneHint}
            type="tel"
            autoComplete="off"
            maxLength={30}
            value={phone}
            onChange={({ target }) => {
              setPhone(target.value)
              find.reset()
            }}
          />
          <Button type="submit" disabled={phone.trim().length < 5 || find.isPending}>
            {words.find}
          </Button>
        </form>
      )}
      <Mistake error={find.error} />
      {find.data && (
        <div className={css.found} role="status">
          <FoundText found={find.data} />
          <Button isSmall onClick={() => setAsking(true)}>
            {find.data.since === null ? words.add : words.remove}
          </Button>
        </div>
      )}
      {isAsking && find.data && (
        <AskOptOut
          phone={phone.trim()}
          found={find.data}
          onDone={() => {
            setAsking(false)
            find.mutate({ phone: phone.trim() })
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function FoundText({ found: { mask, since } }: { readonly found: Found }) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  return <p>{since === null ? words.isNotOut(mask) : words.isOut(mask, formats.dayClock(since))}</p>
}

function AskOptOut({
  phone,
  found: { mask, since },
  onDone,
  onClose,
}: {
  readonly phone: string
  readonly found: Found
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const words = useScreenWords('protection')
  const isAdding = since === null
  return (
    <AskWhy
      change={isAdding ? 'add-opt-out' : 'remove-opt-out'}
      refreshes={['protection']}
      input={(reason) => ({ phone, reason })}
      onDone={onDone}
      notice={isAdding ? words.added(mask) : words.removed(mask)}
      title={isAdding ? words.addTitle(mask) : words.removeTitle(mask)}
      lead={isAdding ? words.addText : words.removeText}
      action={isAdding ? words.add : words.remove}
      label={words.reason}
      hint={words.reasonHint}
      onClose={onClose}
    />
  )
}
