import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { Caution } from '../../parts/forms/Caution.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { CopyButton, KeyLine } from '../../parts/text/Code.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useMe, useRead } from '../../queries.ts'
import { envFile } from '../../samples.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { useCreateService } from '../use-create-service.ts'
import { Step, type StepHead } from './Step.tsx'
import css from './start.module.css'
import type { StartData } from './start-data.ts'

export type NewKey = { readonly serviceId: number; readonly key: string }
type Service = StartData['service']

export function ServiceStep({
  step,
  service,
  onCreated,
}: {
  readonly step: StepHead
  readonly service: Service
  readonly onCreated: (key: NewKey) => void
}) {
  const words = useScreenWords('start')
  const note = service === null ? words.serviceNote : words.serviceDone(service.name, service.id)
  return (
    <Step {...step} title={words.service} note={note}>
      {service === null ? <NewService onCreated={onCreated} /> : undefined}
    </Step>
  )
}

function NewService({ onCreated }: { readonly onCreated: (key: NewKey) => void }) {
  const words = useScreenWords('start')
  const { state } = useWords()
  const isBuilder = useIsBuilder()
  const { data } = useRead('services')
  const { mutate, isPending, error } = useCreateService()
  const [name, setName] = useState('')
  if (!isBuilder) return <p className={css.note}>{state.onlyBuilders}</p>
  const create = () => {
    const isTest = data?.canCreateLive !== true
    mutate({ name: name.trim(), isTest, isMovingFromUcaller: false }, { onSuccess: onCreated })
  }
  return (
    <form
      className={css.create}
      onSubmit={(event) => {
        event.preventDefault()
        create()
      }}
    >
      <Field
        label={words.name}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button look="ink" type="submit" disabled={isPending || name.trim() === ''}>
        {words.create}
      </Button>
      <Mistake error={error} />
    </form>
  )
}

export function KeyStep({
  step,
  service,
  newKey,
}: {
  readonly step: StepHead
  readonly service: Service
  readonly newKey: NewKey | undefined
}) {
  const words = useScreenWords('start')
  const isBuilder = useIsBuilder()
  if (service === null) return <Step {...step} title={words.key} note={words.keyNext} />
  if (newKey !== undefined) {
    return (
      <Step {...step} title={words.key}>
        <WholeKey newKey={newKey} />
      </Step>
    )
  }
  return (
    <Step {...step} title={words.key} note={step.state === 'done' ? undefined : words.keyGone}>
      {step.state === 'done' || !isBuilder ? undefined : <StoredEarlier />}
    </Step>
  )
}

function WholeKey({ newKey: { key, serviceId } }: { readonly newKey: NewKey }) {
  const words = useScreenWords('start')
  const { installation } = useMe()
  const { mutate } = useChange('note-key-stored', ['start'])
  const onCopied = () => mutate({})
  return (
    <>
      <KeyLine text={key}>
        <CopyButton text={key} isIcon onCopied={onCopied} />
        <CopyButton text={envFile(installation, serviceId, key)} onCopied={onCopied}>
          {words.env}
        </CopyButton>
      </KeyLine>
      <Caution text={words.keyNote} />
    </>
  )
}

// The page was left before the key was copied, or it was copied by hand.
function StoredEarlier() {
  const words = useScreenWords('start')
  const { mutate, isPending } = useChange('note-key-stored', ['start'])
  return (
    <div className={css.run}>
      <Button isSmall disabled={isPending} onClick={() => mutate({})}>
        {words.stored}
      </Button>
      <Link to="/dashboard/test/services">{words.keyGoneAct}</Link>
    </div>
  )
}
