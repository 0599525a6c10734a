import { useState } from 'react'
import { useIsHelper } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import { parseCap, type ShownCustomer } from './customer.ts'
import css from './customers.module.css'

type Service = ShownCustomer['services'][number]

export function Services({ services }: { readonly services: readonly Service[] }) {
  const words = useScreenWords('customers')
  const [changed, setChanged] = useState<Service>()
  return (
    <Section title={words.services} lead={words.servicesLead}>
      {services.length === 0 && <p className={css.none}>{words.noServices}</p>}
      {services.map((service) => (
        <ServiceRow key={service.id} service={service} onChange={() => setChanged(service)} />
      ))}
      {changed && <Caps service={changed} onClose={() => setChanged(undefined)} />}
    </Section>
  )
}

function ServiceRow({ service, onChange }: { readonly service: Service; readonly onChange: () => void }) {
  const words = useScreenWords('customers')
  const { state: states } = useWords()
  const formats = useFormats()
  const isHelper = useIsHelper()
  const { id, name, isTest, state, caps, startedToday, spentToday, calls, rang } = service
  const kind = [...(isTest ? [words.isTest] : []), ...(state === 'on' ? [] : [words.serviceStates[state]])]
  return (
    <div className={css.service}>
      <div className={css.serviceHead}>
        <p>
          <b>{name}</b>
          {kind.length > 0 && <span> ({kind.join(', ')})</span>}
          <small>
            {words.serviceNote(id, words.calls(calls))}
            {rang !== null && `, ${words.figures.rang} ${formats.percent(rang)}`}
          </small>
        </p>
        {state !== 'archived' && (
          <Button
            isSmall
            disabled={!isHelper}
            title={isHelper ? undefined : states.onlyHelpers}
            aria-label={words.capsOf(name)}
            onClick={onChange}
          >
            {words.change}
          </Button>
        )}
      </div>
      <dl className={css.caps}>
        <Cap name={words.used.hour} cap={caps.hourMax} write={formats.number} />
        <Cap name={words.used.day} cap={caps.dayMax} used={startedToday} write={formats.number} />
        <Cap name={words.used.spend} cap={caps.spendDayMax} used={spentToday} write={formats.cap} />
      </dl>
    </div>
  )
}

function Cap({
  name,
  cap,
  used,
  write,
}: {
  readonly name: string
  readonly cap: string
  readonly used?: number
  readonly write: (value: number) => string
}) {
  const words = useScreenWords('customers')
  const limit = cap === 'none' ? words.noCap : write(Number(cap))
  return (
    <div>
      <dt>{name}</dt>
      <dd>{used === undefined ? limit : `${write(used)} / ${limit}`}</dd>
    </div>
  )
}

const capNames = ['hourMax', 'dayMax', 'spendDayMax'] as const
type CapName = (typeof capNames)[number]

function Caps({ service, onClose }: { readonly service: Service; readonly onClose: () => void }) {
  const words = useScreenWords('customers')
  const [typed, setTyped] = useState<Readonly<Record<CapName, string>>>(() => ({
    hourMax: shown(service.caps.hourMax),
    dayMax: shown(service.caps.dayMax),
    spendDayMax: shown(service.caps.spendDayMax),
  }))
  const parsed = {
    hourMax: parseCap(typed.hourMax, false),
    dayMax: parseCap(typed.dayMax, false),
    spendDayMax: parseCap(typed.spendDayMax, true),
  }
  const { hourMax, dayMax, spendDayMax } = parsed
  const caps =
    hourMax === undefined || dayMax === undefined || spendDayMax === undefined
      ? undefined
      : { hourMax, dayMax, spendDayMax }
  const { save } = useWords()
  return (
    <AskChange
      change="set-customer-caps"
      refreshes={['customer', 'customers']}
      input={caps && { serviceId: service.id, caps, was: service.caps }}
      notice={words.capsSaved}
      title={words.capsTitle(service.name)}
      lead={words.capsLead}
      action={save}
      onClose={onClose}
    >
      {capNames.map((name) => (
        <Field
          key={name}
          label={words.capNames[name]}
          isFirst={name === 'hourMax'}
          inputMode="decimal"
          maxLength={14}
          error={parsed[name] === undefined ? words.badCap : undefined}
          value={typed[name]}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      ))}
    </AskChange>
  )
}

function shown(cap: string): string {
  return cap === 'none' ? '' : cap
}
