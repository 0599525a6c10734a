import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { Button } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './registries.module.css'

export function LookUp() {
  const words = useScreenWords('registries')
  const { mutate, data, isPending, error, reset } = useChange('look-up-range')
  const [phone, setPhone] = useState('')
  return (
    <Section title={words.lookUp} lead={words.lookUpLead}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ phone })
        }}
      >
        <Field
          label={words.phone}
          hint={words.phoneHint}
          inputMode="tel"
          maxLength={40}
          value={phone}
          onChange={(event) => {
            setPhone(event.target.value)
            // What is shown below is about the number above.
            reset()
          }}
        />
        <Button look="ink" type="submit" disabled={phone.trim() === '' || isPending}>
          {words.find}
        </Button>
        <Mistake error={error} />
      </form>
      {data !== undefined && <Found found={data} />}
    </Section>
  )
}

function Found({ found: { isCovered, range, ported } }: { readonly found: WebOutput<'look-up-range'> }) {
  const words = useScreenWords('registries')
  const place = [range?.region, range?.city].filter((part) => part !== undefined && part !== '').join(', ')
  return (
    <>
      <Row
        title={words.holder}
        note={range === null ? (isCovered ? words.notAssigned : words.notCovered) : holderOf(range)}
      />
      {range?.isReserve === true && <Row title={words.reserve} />}
      {range !== null && <Row title={words.place} note={place === '' ? words.wholeCountry : place} />}
      <Row title={words.porting} note={ported === null ? words.notPorted : words.portedTo(ported.owner, ported.mnc)} />
    </>
  )
}

function holderOf({ organisation, inn }: { readonly organisation: string; readonly inn: string }): string {
  return inn === '' ? organisation : `${organisation} (${inn})`
}
