import { startSteps } from '@ringproof/contract/lists/accounts.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { stopwatch, useFormats } from '../../formats.ts'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { StepCells } from '../../parts/text/Steps.tsx'
import { useMedia } from '../../parts/text/use-media.ts'
import { useNow } from '../../parts/text/use-now.ts'
import { useRead } from '../../queries.ts'
import { hourMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'
import { CallStep, goodNumber, useFreshCall } from './CallStep.tsx'
import { KeyStep, type NewKey, ServiceStep } from './KeySteps.tsx'
import { RingingNow } from './RingingNow.tsx'
import { Step, type StepState } from './Step.tsx'
import css from './start.module.css'
import type { StartData, StepName } from './start-data.ts'

const order: readonly StepName[] = ['service', ...startSteps]
const youngMs = hourMs

export function Start() {
  return <Loaded query={useRead('start')}>{(start) => <Checklist start={start} />}</Loaded>
}

function Checklist({ start }: { readonly start: StartData }) {
  const words = useScreenWords('start')
  const when = useWhen(start)
  // In the memory of this page only.
  const [newKey, setNewKey] = useState<NewKey>()
  const isNarrow = useMedia('(max-width: 1020px)')
  const ringing = <RingingNow call={useFreshCall(goodNumber)} />
  const current = order.find((name) => start.steps[name].doneAt === null)
  const stateOf = (name: StepName): StepState =>
    start.steps[name].doneAt === null ? (name === current ? 'now' : 'next') : 'done'
  const step = (name: StepName) => ({ number: order.indexOf(name) + 1, state: stateOf(name), when: when(name) })
  return (
    <>
      <PageHead
        title={current === undefined ? words.allDone : words.title}
        lead={current === undefined ? words.allDoneLead : words.lead}
      >
        <Progress start={start} states={order.map(stateOf)} />
      </PageHead>
      <div className={css.grid}>
        <ol className={css.steps}>
          <ServiceStep step={step('service')} service={start.service} onCreated={setNewKey} />
          <KeyStep step={step('key')} service={start.service} newKey={newKey} />
          <CallStep step={step('testCall')} service={start.service} newKey={newKey}>
            {isNarrow && <div className={css.between}>{ringing}</div>}
          </CallStep>
          <Step {...step('realCall')} title={words.real} note={words.realNote}>
            {stateOf('realCall') === 'done' || start.service === null ? undefined : (
              <Link className={buttonClass('plain', { isSmall: true })} to="/dashboard/account/profile">
                {words.realAct}
              </Link>
            )}
          </Step>
          <Step {...step('webhook')} title={words.webhook} note={words.webhookNote}>
            {stateOf('webhook') === 'done' || start.service === null ? undefined : (
              <Link className={buttonClass('plain', { isSmall: true })} to="/dashboard/test/phones">
                {words.webhookAct}
              </Link>
            )}
          </Step>
        </ol>
        {!isNarrow && <aside className={css.aside}>{ringing}</aside>}
      </div>
    </>
  )
}

function Progress({ start, states }: { readonly start: StartData; readonly states: readonly StepState[] }) {
  const words = useScreenWords('start')
  const ageMs = useNow(1000) - start.signedUpAt
  const done = states.filter((state) => state === 'done').length
  return (
    <div className={css.progress}>
      <StepCells of={states} label={words.progress(done, states.length)} />
      {done < states.length && ageMs < youngMs && (
        <div>
          <b>{stopwatch(ageMs)}</b>
          <small>{words.since}</small>
        </div>
      )}
    </div>
  )
}

// Of a young account the stopwatch, later the day.
function useWhen(start: StartData): (name: StepName) => string | undefined {
  const formats = useFormats()
  return (name) => {
    const { doneAt } = start.steps[name]
    if (doneAt === null) return undefined
    const afterMs = doneAt - start.signedUpAt
    return afterMs < youngMs ? stopwatch(afterMs) : formats.day(doneAt)
  }
}
