import { listMax } from '@ringproof/contract/web/number-limits.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { Area, Select } from '../../parts/forms/Form.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Forbidden, Loaded, Mistake } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { Service } from '../services/service.ts'
import css from './numbers.module.css'
import { Price } from './Price.tsx'
import { Result } from './Result.tsx'
import { splitNumbers } from './split-numbers.ts'
import { useNumberCheck } from './use-number-check.ts'

// Test numbers, which are free, one of them in two spellings, and a text that is no number.
const example = '+7 900 000-00-01\n8 (900) 000-00-02\n79000000001\n12345'

export function Numbers() {
  const words = useScreenWords('numbers')
  const { state } = useWords()
  const query = useRead('services')
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {useIsBuilder() ? (
        <Loaded query={query}>
          {({ services }) => <Check services={services.filter((service) => service.state === 'on')} />}
        </Loaded>
      ) : (
        <Forbidden text={state.onlyBuilders} />
      )}
    </>
  )
}

function Check({ services }: { readonly services: readonly Service[] }) {
  const words = useScreenWords('numbers')
  const formats = useFormats()
  const [text, setText] = useState(example)
  const [chosen, setChosen] = useState(() => (services.find(({ isTest }) => !isTest) ?? services[0])?.id)
  const check = useNumberCheck(text, chosen)
  const count = splitNumbers(text).length
  const isTooLong = count > listMax
  const { pricing, running, forget } = check
  return (
    <>
      <section className={css.form}>
        <Area
          label={words.list}
          aside={<span>{words.count(count)}</span>}
          hint={text === example ? words.exampleHint : words.hint}
          error={isTooLong ? words.tooMany(formats.number(listMax), formats.number(count)) : undefined}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          disabled={running.isBusy}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            forget()
          }}
        />
        <div className={css.foot}>
          {chosen !== undefined && services.length > 1 && (
            <Select
              label={words.service}
              value={chosen}
              disabled={running.isBusy}
              onChange={(id) => {
                setChosen(id)
                forget()
              }}
              of={services.map(({ id, name }) => ({ value: id, text: name }))}
            />
          )}
          {chosen === undefined ? (
            <p className={css.note}>
              {words.noService} <Link to={dashboardAddress('services', 'live')}>{words.toServices}</Link>
            </p>
          ) : (
            check.priced === undefined && (
              <Button look="ink" disabled={count === 0 || isTooLong || pricing.isBusy} onClick={pricing.start}>
                {words.price}
              </Button>
            )
          )}
        </div>
        <Mistake error={pricing.error} />
      </section>
      <Price check={check} />
      <Result check={check} />
    </>
  )
}
