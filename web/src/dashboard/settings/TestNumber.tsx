import { callModes } from '@ringproof/contract/methods.ts'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { StatusShape } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Field, Select } from '../../parts/forms/Form.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useSells } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import type { TestedStart } from './settings-data.ts'
import { textsOf } from './use-draft.ts'

// Whether a call to a number would be accepted, by the rules on the page.
export function TestNumber() {
  const words = useScreenWords('settings')
  const { mode: modeNames } = useWords()
  const { page, draft } = useSettings()
  const { mutate, data, isPending, error } = useChange('test-settings')
  const [phone, setPhone] = useState('')
  const [address, setAddress] = useState('')
  const [mode, setMode] = useState<WebInput<'test-settings'>['mode']>('flash')
  const test = () =>
    mutate({
      serviceId: page.id,
      settings: textsOf(draft.changes),
      // People write numbers with blanks and brackets; programs must not.
      phone: phone.replaceAll(/[\s\u00a0()-]/g, ''),
      address: address.trim(),
      mode,
    })
  return (
    <section className={css.try} aria-labelledby="test-head">
      <h2 id="test-head">{words.testTitle}</h2>
      <p>{words.testLead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          test()
        }}
      >
        <Field
          label={words.phone}
          hint={words.phoneHint}
          inputMode="tel"
          autoComplete="off"
          maxLength={30}
          value={phone}
          onChange={({ target }) => setPhone(target.value)}
        />
        <Field
          label={words.from}
          autoComplete="off"
          maxLength={50}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <Select
          label={words.mode}
          value={mode}
          onChange={setMode}
          of={callModes.map((value) => ({ value, text: modeNames[value] }))}
        />
        <Button type="submit" disabled={isPending || phone.trim() === '' || draft.mistakes.length > 0}>
          {words.test}
        </Button>
      </form>
      <Mistake error={error} />
      {data !== undefined && (
        <div role="status" className={css.result} ref={scrollTo}>
          <Tested drafted={data.drafted} saved={data.saved} />
        </div>
      )}
    </section>
  )
}

const shapes = { passed: 'succeeded', refused: 'failed', 'not-reached': 'waiting', 'not-tested': 'waiting' } as const

// Below the form there may be no room for it.
function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

function Tested({ drafted, saved }: { readonly drafted: TestedStart; readonly saved: TestedStart }) {
  const words = useScreenWords('settings')
  const formats = useFormats()
  const { language } = useLanguage()
  const { mark } = useSettings()
  const sells = useSells()
  const { refusal, price } = drafted
  const isDifferent = saved.refusal?.code !== refusal?.code
  return (
    <>
      <p className={css.would}>
        <b>{refusal === null ? words.wouldCall : words.refused(refusal.code)}</b>{' '}
        {refusal === null
          ? !sells
            ? ''
            : price === 0
              ? words.free
              : words.held(formats.price(price ?? 0))
          : refusal.sentence[language]}{' '}
        {refusal !== null && refusal.retryAfter !== null && words.retry(refusal.retryAfter)}
      </p>
      {refusal?.settings.map((name) => (
        <Button key={name} isSmall onClick={() => mark(name)}>
          {words.toSetting(words.labels[name])}
        </Button>
      ))}
      {isDifferent && (
        <p className={css.savedNow} data-state={saved.isAccepted ? 'passed' : 'refused'}>
          <StatusShape status={saved.isAccepted ? 'succeeded' : 'failed'} />
          {saved.refusal === null ? words.savedAccepts : words.savedRefuses(saved.refusal.code)}
        </p>
      )}
      <ol>
        {drafted.rules
          .filter(({ rule }) => sells || rule !== 'money')
          .map(({ rule, state }) => (
            <li key={rule} data-state={state}>
              <StatusShape status={shapes[state]} />
              {words.startRules[rule]}
              {state === 'not-reached' && <em>{words.notReached}</em>}
              {state === 'not-tested' && <em>{words.notTested}</em>}
            </li>
          ))}
      </ol>
    </>
  )
}
