import { use, useState } from 'react'
import { errorOf } from '../../api.ts'
import { TimeZoneContext, useFormats } from '../../formats.ts'
import { AddButton } from '../../parts/AdminButton.tsx'
import { Ask } from '../../parts/Ask.tsx'
import { Field, Select } from '../../parts/Form.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Row, Section } from '../../parts/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './tariffs.module.css'
import { isCountry, parseAmount, parseTime, type TariffsPage, versionsOf } from './versions.ts'

const modes = ['flash', 'voice', 'mix', 'inbound'] as const

export function Costs({ page: { costs, trunks } }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const add = (
    <AddButton text={words.addCost} disabled={trunks.length === 0}>
      {(onClose) => <AddCost trunks={trunks} onClose={onClose} />}
    </AddButton>
  )
  const rows = versionsOf(costs, ({ trunk, mode, country }) => `${trunk} ${mode} ${country}`, Date.now())
  return (
    <Section title={words.costs} lead={words.costsLead} action={add}>
      {rows.length === 0 && <p className={css.none}>{trunks.length === 0 ? words.noTrunk : words.noCosts}</p>}
      {rows.map(([key, { now, later, earlier }]) => {
        const one = now ?? later[0]
        if (one === undefined) return null
        const notes = [
          ...(now === undefined ? [] : [words.since(formats.dayClock(now.validFrom))]),
          ...later.map(({ validFrom, cost }) => words.from(formats.dayClock(validFrom), formats.price(cost))),
          ...(earlier === 0 ? [] : [words.earlier(earlier)]),
        ]
        const place = one.country === '*' ? words.any : one.country
        return (
          <Row key={key} title={`${one.trunk}: ${words.kinds[one.mode]}, ${place}`} note={notes.join('; ')}>
            <b className={css.strong}>{now === undefined ? '–' : formats.price(now.cost)}</b>
          </Row>
        )
      })}
    </Section>
  )
}

function AddCost({ trunks, onClose }: { readonly trunks: readonly string[]; readonly onClose: () => void }) {
  const words = useScreenWords('tariffs')
  const { save } = useWords()
  const formats = useFormats()
  const timeZone = use(TimeZoneContext)
  const [typed, setTyped] = useState({ trunk: trunks[0] ?? '', mode: 'flash', country: '*', cost: '', from: '' })
  const { mutate, isPending, error } = useChange('set-trunk-cost', ['tariffs'])
  const cost = parseAmount(typed.cost)
  const mode = modes.find((one) => one === typed.mode) ?? 'flash'
  const isRefused = error !== null && errorOf(error) === 'invalid'
  const set = (some: Partial<typeof typed>) => setTyped({ ...typed, ...some })
  const submit = () => {
    const { trunk, country } = typed
    const done = ({ validFrom }: { validFrom: number }) => {
      onClose()
      showNotice({ text: words.published(formats.dayClock(validFrom)) })
    }
    mutate({ trunk, mode, country, cost: cost ?? '', validFrom: parseTime(typed.from, timeZone) }, { onSuccess: done })
  }
  return (
    <Ask
      title={words.addCost}
      lead={words.costsLead}
      action={save}
      isReady={cost !== undefined && isCountry(typed.country)}
      isBusy={isPending}
      error={isRefused ? null : error}
      onDo={submit}
      onClose={onClose}
    >
      <div className={css.pair}>
        <Select label={words.trunk} value={typed.trunk} onChange={({ target }) => set({ trunk: target.value })}>
          {trunks.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Select label={words.mode} value={mode} onChange={({ target }) => set({ mode: target.value })}>
          {modes.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </Select>
        <Field
          label={words.country}
          hint={words.countryHint}
          maxLength={2}
          value={typed.country}
          onChange={(event) => set({ country: event.target.value.trim().toUpperCase() })}
        />
        <Field
          label={words.cost}
          isFirst
          inputMode="decimal"
          value={typed.cost}
          error={typed.cost !== '' && cost === undefined ? words.badAmount : undefined}
          onChange={(event) => set({ cost: event.target.value })}
        />
        <Field
          label={words.validFrom}
          hint={words.now}
          type="datetime-local"
          value={typed.from}
          error={isRefused ? words.failed : undefined}
          onChange={(event) => set({ from: event.target.value })}
        />
      </div>
    </Ask>
  )
}
