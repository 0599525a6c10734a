import { callModes } from '@ringproof/contract/methods.ts'
import { Link } from '@tanstack/react-router'
import { Plus, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { Button, buttonClass, Segments } from '../../parts/forms/Button.tsx'
import { RunMistake } from '../../parts/forms/RunMistake.tsx'
import { isOpen } from '../../parts/phone/call-status.ts'
import { spacedNumber } from '../../parts/phone/phone-number.ts'
import { classes } from '../../parts/text/classes.ts'
import { PageHead } from '../../parts/text/Page.tsx'
import { Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { Earlier, OneCall } from './Calls.tsx'
import { Faults } from './Faults.tsx'
import { PhoneInHand } from './PhoneInHand.tsx'
import type { PhonesData } from './phone.ts'
import css from './phones.module.css'
import { fixedNumbers, useCallerService } from './use-caller-service.ts'

export function Phones() {
  const words = useScreenWords('phones')
  const query = useRead('phones')
  // A link may name the phone.
  const [{ phone }] = useFilters()
  const [chosen, setChosen] = useState(phone)
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <AddPhone onAdded={setChosen} />
      </PageHead>
      <Loaded query={query}>{(data) => <PhonesPage data={data} chosen={chosen} onChoose={setChosen} />}</Loaded>
    </>
  )
}

function PhonesPage({
  data,
  chosen,
  onChoose,
}: {
  readonly data: PhonesData
  readonly chosen: string | undefined
  readonly onChoose: (number: string) => void
}) {
  const open = data.calls.find(isOpen)
  // A phone that rings comes forward by itself until the reader chooses one.
  const number = chosen ?? open?.number ?? data.phones[0]?.number
  const phone = data.phones.find((one) => one.number === number)
  if (phone === undefined) return null
  const latest = data.calls.find((call) => call.number === phone.number)
  return (
    <>
      <Strip data={data} number={phone.number} onChoose={onChoose} />
      <div className={css.grid}>
        <div className={css.left}>
          <PhoneInHand key={phone.number} phone={phone} call={latest} />
          <Faults on={data.faults} />
        </div>
        <div className={css.axis}>
          <RingBar number={phone.number} />
          <OneCall call={latest} phone={phone} />
          <Earlier calls={data.calls.filter((call) => call !== latest)} />
        </div>
      </div>
    </>
  )
}

function Strip({
  data,
  number,
  onChoose,
}: {
  readonly data: PhonesData
  readonly number: string
  readonly onChoose: (number: string) => void
}) {
  const words = useScreenWords('phones')
  return (
    <div className={css.strip} role="group" aria-label={words.phones}>
      {data.phones.map((phone) => {
        const isRinging = data.calls.some((call) => call.number === phone.number && call.state === 'ringing')
        return (
          <button
            key={phone.number}
            type="button"
            aria-pressed={phone.number === number}
            className={classes(css.phone, isRinging && css.on)}
            onClick={() => onChoose(phone.number)}
          >
            <i>
              <Smartphone size={15} />
            </i>
            <span>
              <b>{spacedNumber(phone.number)}</b>
              <small>{isRinging ? words.ringingNow : words.states[phone.state]}</small>
            </span>
          </button>
        )
      })}
    </div>
  )
}

function AddPhone({ onAdded }: { readonly onAdded: (number: string) => void }) {
  const words = useScreenWords('phones')
  const { state } = useWords()
  const isBuilder = useIsBuilder()
  const { mutate, isPending, error } = useChange('add-phone', ['phones'])
  return (
    <>
      <Mistake error={error} />
      <Button
        disabled={isPending || !isBuilder}
        title={isBuilder ? undefined : state.onlyBuilders}
        onClick={() => mutate({}, { onSuccess: ({ number }) => onAdded(number) })}
      >
        <Plus size={15} />
        {words.add}
      </Button>
    </>
  )
}

// The one yellow button of the page: it makes the phone ring.
function RingBar({ number }: { readonly number: string }) {
  const words = useScreenWords('phones')
  const shell = useWords()
  const isBuilder = useIsBuilder()
  const serviceId = useCallerService(number)
  const { mutate, isPending, data: run, error } = useChange('run-here', ['phones', 'start'])
  const [mode, setMode] = useState<(typeof callModes)[number]>('flash')
  if (serviceId === undefined || !isBuilder) return null
  if (serviceId === null) {
    return (
      <p className={css.bar}>
        {fixedNumbers.has(number) ? words.noService : words.noTestService}
        <Link className={buttonClass('plain', { isSmall: true })} to="/dashboard/test/services">
          {words.noServiceAct}
        </Link>
      </p>
    )
  }
  return (
    <div className={css.bar}>
      <Button
        look="marker"
        disabled={isPending}
        onClick={() => mutate({ serviceId, method: 'initCall', phone: number, mode })}
      >
        {words.ring}
      </Button>
      <Segments
        label={words.mode}
        value={mode}
        onChange={setMode}
        of={callModes.map((value) => ({ value, text: shell.mode[value] }))}
      />
      <RunMistake run={run} error={error} />
    </div>
  )
}
