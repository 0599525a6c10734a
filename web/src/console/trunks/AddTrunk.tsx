// Connects a carrier: four fields, then its health, our address, a test call, and only then customers' calls.

import { trunkOptions } from '@ringproof/contract/lists/trunk-options.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { reasonOf, StateChip } from '../../parts/phone/TrunkState.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { BackLink, PageHead } from '../../parts/text/Page.tsx'
import { Forbidden, Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useLiveRead } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { Connection } from './Connection.tsx'
import { ForCarrier } from './ForCarrier.tsx'
import { OptionField } from './OptionField.tsx'
import { TestCall } from './TestCall.tsx'
import { healthMs, type ShownTrunk } from './trunk.ts'
import { type Typed, valuesOf } from './trunk-option.ts'
import css from './trunks.module.css'

export function AddTrunk() {
  const words = useScreenWords('trunks')
  const { state } = useWords()
  const isAdmin = useIsAdmin()
  const [name, setName] = useState<string>()
  return (
    <>
      <BackLink to="/console/trunks" isUnderlined>
        {words.back}
      </BackLink>
      <PageHead title={words.wizard} lead={words.wizardLead} />
      {!isAdmin && <Forbidden text={state.onlyAdmins} />}
      {isAdmin && name === undefined && <CarrierForm onAdded={setName} />}
      {name !== undefined && <Added name={name} />}
    </>
  )
}

function CarrierForm({ onAdded }: { readonly onAdded: (name: string) => void }) {
  const words = useScreenWords('trunks')
  const [isTried, setTried] = useState(false)
  const [typed, setTyped] = useState<Typed<'address' | 'user' | 'callerFormat'>>({
    address: '',
    user: '',
    callerFormat: trunkOptions.callerFormat.default,
  })
  const [password, setPassword] = useState('')
  const values = valuesOf(typed)
  const add = useChange('add-trunk', ['trunks'])
  const option = (name: keyof typeof typed, isChecked = true) => (
    <OptionField
      name={name}
      typed={typed[name]}
      isChecked={isChecked}
      onChange={(value) => setTyped({ ...typed, [name]: value })}
    />
  )
  return (
    <form
      className={css.wizard}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (values) {
          const transport = trunkOptions.transport.default
          add.mutate({ ...values, transport, password }, { onSuccess: ({ name }) => onAdded(name) })
        }
      }}
    >
      {option('address', isTried)}
      {option('user')}
      <Field
        label={words.password}
        isSecret
        autoComplete="new-password"
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {option('callerFormat')}
      <div className={css.buttons}>
        <Button look="ink" type="submit" disabled={add.isPending}>
          {words.connect}
        </Button>
        <Mistake error={add.error} />
      </div>
    </form>
  )
}

function Added({ name }: { readonly name: string }) {
  const words = useScreenWords('trunks')
  return (
    <Loaded query={useLiveRead('trunks', healthMs)}>
      {({ trunks }) => {
        const trunk = trunks.find((one) => one.name === name)
        return (
          trunk && (
            <div className={css.two}>
              <ol className={css.steps}>
                <Step n={1} title={words.stepConnected(name)}>
                  <CarrierHealth trunk={trunk} />
                </Step>
                <Step n={2} title={words.stepTest}>
                  <p>{words.call.lead}</p>
                  <TestCall trunk={trunk} />
                </Step>
                <Step n={3} title={words.stepUse}>
                  <TakeCalls trunk={trunk} />
                </Step>
              </ol>
              <ForCarrier trunk={trunk} />
            </div>
          )
        )
      }}
    </Loaded>
  )
}

function Step({ n, title, children }: { readonly n: number; readonly title: string; readonly children: ReactNode }) {
  return (
    <li className={css.step}>
      <i aria-hidden="true">{n}</i>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  )
}

// A node needs a moment before it reports on a new trunk.
const loadMs = 10_000

// It takes no calls yet, so what nodes see of the carrier is shown.
function CarrierHealth({ trunk }: { readonly trunk: ShownTrunk }) {
  const { carrier } = trunk
  const words = useScreenWords('trunks')
  const [isEditing, setEditing] = useState(false)
  const formats = useFormats()
  const [sinceMs] = useState(Date.now)
  if (carrier.cause === 'no-report' && Date.now() - sinceMs < loadMs) {
    return (
      <p role="status">
        {words.cause['not-loaded']} {words.advice['not-loaded']}
      </p>
    )
  }
  const advice = words.advice[carrier.cause]
  return (
    <>
      <StateChip state={carrier.state} />
      <p>
        {reasonOf(carrier, words, formats)} {advice !== '' && <b>{advice}</b>}
      </p>
      {carrier.state !== 'healthy' && (
        <Button isSmall onClick={() => setEditing(true)}>
          {words.edit}
        </Button>
      )}
      {isEditing && <Connection trunk={trunk} onClose={() => setEditing(false)} />}
    </>
  )
}

// The button is ink only when nothing stands against it.
function TakeCalls({ trunk: { name, isDraining, carrier, callerNumbers } }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const use = useChange('use-trunk', ['trunks'])
  return (
    <>
      <p>{words.stepUseText}</p>
      {carrier.state !== 'healthy' && <p>{words.notReady.carrier}</p>}
      {callerNumbers === 0 && <p>{words.notReady.numbers}</p>}
      <div className={css.buttons}>
        <Button
          look={carrier.state === 'healthy' && callerNumbers > 0 ? 'ink' : 'plain'}
          disabled={!isDraining || use.isPending}
          onClick={() => use.mutate({ name, use: 'on' }, { onSuccess: () => showNotice({ text: words.used(name) }) })}
        >
          {words.use}
        </Button>
        <Link className={buttonClass()} to={`/console/trunks/${name}`}>
          {words.later}
        </Link>
      </div>
      <Mistake error={use.error} />
    </>
  )
}
