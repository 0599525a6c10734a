import { useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field, Select, Tick } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { Service } from './service.ts'
import css from './services.module.css'
import type { ShownKey } from './TheKey.tsx'

export function AddKey({
  service,
  onClose,
  onKey,
}: {
  readonly service: Service
  readonly onClose: () => void
  readonly onKey: (key: ShownKey) => void
}) {
  const words = useScreenWords('services')
  const [name, setName] = useState('')
  const [mayStart, setMayStart] = useState(true)
  const [mayRead, setMayRead] = useState(true)
  const [days, setDays] = useState(0)
  const [mayListen, setMayListen] = useState(service.isTest)
  const scopes = [
    ...(mayStart ? ['start' as const] : []),
    ...(mayRead ? ['read' as const] : []),
    ...(mayListen ? ['listen' as const] : []),
  ]
  return (
    <AskChange
      change="add-service-key"
      refreshes={['services']}
      input={{ serviceId: service.id, name: name.trim(), scopes, days: days === 0 ? null : days }}
      onDone={(created) => onKey({ ...created, title: words.newKeyTitle(service.name) })}
      title={words.addTitle}
      lead={words.addLead}
      action={words.addButton}
      isReady={name.trim() !== '' && scopes.length > 0}
      onClose={onClose}
    >
      <Field
        label={words.keyName}
        hint={words.keyNameHint}
        isFirst
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className={css.scopes}>
        <legend>{words.mayDo}</legend>
        <Tick isOn={mayStart} onChange={setMayStart}>
          {words.scopeStart}
        </Tick>
        <Tick isOn={mayRead} onChange={setMayRead}>
          {words.scopeRead}
        </Tick>
        <Tick isOn={mayListen} onChange={setMayListen}>
          {words.scopeListen}
        </Tick>
      </fieldset>
      <Select
        label={words.expires}
        value={days}
        onChange={setDays}
        of={Object.entries(words.expiries).map(([value, text]) => ({ value: Number(value), text }))}
      />
    </AskChange>
  )
}
