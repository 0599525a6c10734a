// The steps to the first real call. Once all are done it is one line, which opens.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { Check, ChevronDown } from 'lucide-react'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { CopyButton } from '../../parts/text/Code.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { StepCells, StepItem } from '../../parts/text/Steps.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './setup.module.css'

type SetupState = WebOutput<'setup'>
type Step = SetupState['steps'][number]

export function Setup({ setup }: { readonly setup: SetupState }) {
  const words = useScreenWords('system')
  const done = setup.steps.filter(({ state }) => state !== 'open').length
  const remarks = setup.steps.filter(({ state }) => state === 'attention').length
  const isDone = done === setup.steps.length
  if (isDone) {
    return (
      <details className={css.all}>
        <summary>
          <Check size={16} strokeWidth={2.5} aria-hidden="true" />
          <span>
            {words.setupDone} {remarks > 0 && words.setupNotes(remarks)}
          </span>
          <ChevronDown className={css.more} size={16} aria-hidden="true" />
        </summary>
        <Steps setup={setup} />
      </details>
    )
  }
  return (
    <Section
      title={words.setup}
      lead={words.setupLead(done, setup.steps.length)}
      action={<StepCells of={setup.steps.map(({ state }) => state)} className={css.cells} />}
    >
      <Steps setup={setup} />
    </Section>
  )
}

function Steps({ setup }: { readonly setup: SetupState }) {
  const first = setup.steps.find(({ state }) => state === 'open')
  return (
    <ol className={css.steps}>
      {setup.steps.map((step, index) => (
        <StepLine key={step.step} setup={setup} step={step} number={index + 1} isNow={step === first} />
      ))}
    </ol>
  )
}

function StepLine({
  setup,
  step: { step, state, findings },
  number,
  isNow,
}: {
  readonly setup: SetupState
  readonly step: Step
  readonly number: number
  readonly isNow: boolean
}) {
  const words = useScreenWords('system')
  const note = useNote(setup, step)
  const wrong = findings.filter(({ level }) => level !== 'good')
  return (
    <StepItem state={isNow ? 'now' : state} mark={<Mark state={state} number={number} />}>
      <div className={css.text}>
        <h3>
          {words.steps[step]}
          <span className="unseen">, {words.setupStates[state]}</span>
        </h3>
        {note !== undefined && <p>{note}</p>}
        {(note === undefined ? findings : wrong).map(({ subject, cause, fix }) => (
          <div key={`${subject} ${cause}`} className={css.finding}>
            {/* The sentences of the command line, in English. */}
            <p lang="en">{subject === '' ? cause : `${subject}: ${cause}`}</p>
            {fix !== null && (
              <div className={css.fix}>
                <code lang="en">{fix}</code>
                <CopyButton isIcon text={fix} />
              </div>
            )}
          </div>
        ))}
        {note === undefined && findings.length === 0 && <p>{words.notExamined}</p>}
      </div>
      <Where setup={setup} step={step} isNow={isNow} />
    </StepItem>
  )
}

function Mark({ state, number }: { readonly state: Step['state']; readonly number: number }) {
  if (state === 'done') return <Check size={16} strokeWidth={2.5} />
  return <span aria-hidden="true">{state === 'attention' ? '!' : number}</span>
}

// What the database knows, in words; undefined where doctor has the sentence.
function useNote({ steps, trunks, numbers, tariffs }: SetupState, step: Step['step']): string | undefined {
  const words = useScreenWords('system')
  if (step === 'trunk') return trunks.length === 0 ? words.trunkOpen : words.trunkDone(trunks.join(', '))
  if (step === 'numbers') return numbers === 0 ? words.numbersOpen : words.numbersDone(numbers)
  if (step === 'tariff') return tariffs === 0 ? words.tariffOpen : words.tariffDone(tariffs)
  if (step !== 'call') return undefined
  return steps.some((one) => one.step === 'call' && one.state === 'open') ? words.callOpen : words.callDone
}

function Where({
  setup: { trunks },
  step,
  isNow,
}: {
  readonly setup: SetupState
  readonly step: Step['step']
  readonly isNow: boolean
}) {
  const words = useScreenWords('system')
  const look = buttonClass(isNow ? 'ink' : 'plain', { isSmall: true })
  const [trunk] = trunks
  if (step === 'trunk' && trunk === undefined) {
    return (
      <Link className={look} to="/console/trunks/add">
        {words.addTrunk}
      </Link>
    )
  }
  const address = {
    trunk: '/console/trunks',
    numbers: '/console/codes',
    tariff: '/console/tariffs',
    call: trunk === undefined ? undefined : `/console/trunks/${encodeURIComponent(trunk)}`,
    registry: '/console/registries',
    tls: undefined,
    messages: undefined,
    backup: undefined,
  }[step]
  if (address === undefined || !(step in words.goTo)) return null
  return (
    <Link className={look} to={address}>
      {words.goTo[step as keyof typeof words.goTo]}
    </Link>
  )
}
