// Where calls go: type a number and see every step of the decision, without a call. Beside it, the order of the trunks.

import { callModes } from '@ringproof/contract/methods.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Button, Segments } from '../../parts/forms/Button.tsx'
import { SwitchOvers } from '../../parts/tables/SwitchOvers.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useRead, useSells } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { Decision } from './Decision.tsx'
import { Order } from './Order.tsx'
import css from './routing.module.css'

type Asked = WebInput<'explain-route'>
type Said = WebOutput<'explain-route'>

export function Routing() {
  const words = useScreenWords('routing')
  const explain = useChange('explain-route')
  const trunks = useRead('routing').data?.trunks.length ?? 0
  const [code, setCode] = useState('')
  const ask = (asked: Asked) => {
    setCode(asked.code)
    explain.mutate(asked)
  }
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Question isBusy={explain.isPending} onAsk={ask} onEdit={explain.reset} />
      <Mistake error={explain.error} />
      {explain.data && <Answer said={explain.data} />}
      <div className={css.grid}>
        <div>{explain.data && <Decision said={explain.data} code={code} />}</div>
        <Order chosen={explain.data?.trunk ?? undefined} />
      </div>
      {trunks > 0 && <SwitchOvers trunks={trunks} />}
    </>
  )
}

// An answer to another question is not left beside a changed one.
function Question({
  isBusy,
  onAsk,
  onEdit,
}: {
  readonly isBusy: boolean
  readonly onAsk: (asked: Asked) => void
  readonly onEdit: () => void
}) {
  const words = useScreenWords('routing')
  const shell = useWords()
  const [phone, setPhone] = useState('')
  const [mode, setMode] = useState<Asked['mode']>('flash')
  const [code, setCode] = useState('')
  const [service, setService] = useState('')
  const isReady = /^\+?(\D*\d){7,15}\D*$/.test(phone) && /^(\d{4})?$/.test(code)
  const small = (label: string, value: string, placeholder: string, size: number, set: (text: string) => void) => (
    <label className={css.option}>
      {label}
      <input
        value={value}
        placeholder={placeholder}
        inputMode="numeric"
        autoComplete="off"
        size={size}
        onChange={({ target }) => set(target.value.replaceAll(/\D/g, ''))}
      />
    </label>
  )
  return (
    <form
      className={css.ask}
      onChange={onEdit}
      onSubmit={(event) => {
        event.preventDefault()
        onAsk({ phone, mode, code, serviceId: service === '' ? null : Number(service) })
      }}
    >
      <label className={css.number}>
        <span className="unseen">{words.number}</span>
        <input
          value={phone}
          placeholder={words.number}
          inputMode="tel"
          autoComplete="off"
          spellCheck={false}
          maxLength={30}
          onChange={({ target }) => setPhone(target.value)}
        />
      </label>
      <Segments
        label={words.mode}
        value={mode}
        of={callModes.map((value) => ({ value, text: shell.mode[value] }))}
        onChange={(next) => {
          setMode(next)
          onEdit()
        }}
      />
      {small(words.code, code, words.anyCode, 5, (text) => setCode(text.slice(0, 4)))}
      {small(words.service, service, words.anyService, 14, (text) => setService(text.slice(0, 9)))}
      <Button look="ink" type="submit" disabled={!isReady || isBusy}>
        {words.show}
      </Button>
    </form>
  )
}

function Answer({ said }: { readonly said: Said }) {
  const words = useScreenWords('routing')
  const shell = useWords()
  const { language } = useLanguage()
  const formats = useFormats()
  const sells = useSells()
  const { refusal, trunk, callerNumber, price, tariff, mode, isTest } = said
  return (
    <section className={css.answer} role="status">
      {refusal ? (
        <>
          <h2 className={css.no}>{words.refused(refusal.code)}</h2>
          <p>
            {refusal.sentence[language]} {words.refusedNote}
          </p>
        </>
      ) : (
        <>
          <h2>
            {isTest
              ? words.testCall
              : `${words.goes(shell.mode[mode].toLowerCase(), trunk ?? '')}, ${words.sees(callerNumber ?? '')}`}
          </h2>
          {sells && price !== null && !isTest && <p>{words.costs(formats.price(price), tariff)}</p>}
        </>
      )}
    </section>
  )
}
