// Rings a phone over the trunk, shows what is said on the wire while it is said, and asks what the phone showed.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsHelper } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { DigitBoxes } from '../../parts/forms/DigitBoxes.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { SipFlow } from '../../parts/phone/SipFlow.tsx'
import { sipFlowMessage, withSilences } from '../../parts/phone/sip-flow-rows.ts'
import { classes } from '../../parts/text/classes.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useLiveReadWith } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { ShownTrunk } from './trunk.ts'
import css from './trunks.module.css'

type Shown = WebOutput<'trunk-test'>

const progressMs = 400

export function TestCall({ trunk }: { readonly trunk: ShownTrunk }) {
  const { call: words } = useScreenWords('trunks')
  const { state } = useWords()
  const mayCall = useIsHelper()
  const start = useChange('start-trunk-test', ['trunk-log'])
  const [phone, setPhone] = useState('')
  const [callerNumber, setCallerNumber] = useState('')
  const [isTried, setTried] = useState(false)
  const id = start.data?.id
  const needsCaller = trunk.callerNumbers === 0
  const isReady = isPhone(phone) && (callerNumber.trim() === '' ? !needsCaller : isPhone(callerNumber))
  const call = () => {
    setTried(true)
    if (isReady) start.mutate({ name: trunk.name, phone, callerNumber })
  }
  return (
    <>
      <form
        className={css.call}
        onSubmit={(event) => {
          event.preventDefault()
          call()
        }}
      >
        <Field
          label={words.phone}
          hint={words.phoneHint}
          error={isTried && !isPhone(phone) ? words.badPhone : undefined}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
        <Field
          label={words.caller}
          hint={needsCaller ? words.callerNeeded : words.callerHint}
          error={isTried && callerNumber.trim() === '' && needsCaller ? words.callerNeeded : undefined}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={callerNumber}
          onChange={(event) => setCallerNumber(event.target.value)}
        />
        <Button
          look="marker"
          type="submit"
          disabled={!mayCall || !trunk.isOn || start.isPending}
          title={mayCall ? undefined : state.onlyHelpers}
        >
          {id === undefined ? words.start : words.again}
        </Button>
        <Mistake error={start.error} />
      </form>
      {id !== undefined && <Progress key={id} id={id} trunk={trunk.name} />}
    </>
  )
}

function isPhone(text: string): boolean {
  return /^[1-9]\d{6,14}$/.test(text.replaceAll(/[\s()+.-]/g, ''))
}

function Progress({ id, trunk }: { readonly id: number; readonly trunk: string }) {
  const { call: words } = useScreenWords('trunks')
  const formats = useFormats()
  const { data: shown } = useLiveReadWith('trunk-test', { id: String(id) }, ({ endedAt }) =>
    endedAt === null ? progressMs : undefined,
  )
  if (shown === undefined) return <p role="status">{words.dialling}</p>
  const rows = withSilences(shown.messages.map((message) => sipFlowMessage({ ...message, attempt: 1, trunk })))
  return (
    <div className={css.progress}>
      <p className={classes(css.said, shown.endedAt !== null && shown.rangAfterMs === null && css.is)} role="status">
        <Sentence shown={shown} />
      </p>
      {rows.length > 0 && (
        <SipFlow
          // A new message may be the one that most people look for.
          key={rows.length}
          rows={rows}
          heads={[
            { name: words.youLane },
            { name: 'Ringproof' },
            { name: words.carrierLane, note: trunk },
            { name: words.phoneLane, note: shown.phone },
          ]}
          words={{ label: words.sipFlow, nothingFor: words.nothingFor, ringsFor: words.ringsFor }}
          seconds={formats.seconds}
        />
      )}
      {shown.rangAfterMs !== null && <Digits shown={shown} />}
    </div>
  )
}

function Sentence({ shown }: { readonly shown: Shown }) {
  const { call: words } = useScreenWords('trunks')
  const formats = useFormats()
  const { endedAt, rangAfterMs, outcome, status } = shown
  if (rangAfterMs !== null)
    return endedAt === null ? words.ringing : words.rangAfter(formats.seconds(rangAfterMs / 1_000))
  if (endedAt === null) return words.dialling
  if (outcome === 'no-node' || outcome === 'not-ready') return words.noNode
  if (outcome === 'not-loaded') return words.notLoaded
  return status === null ? words.failed : `${words.failed} ${words.refused(status)}`
}

function Digits({ shown }: { readonly shown: Shown }) {
  const { call: words } = useScreenWords('trunks')
  const answer = useChange('answer-trunk-test', ['trunk-test', 'trunks'])
  const [digits, setDigits] = useState('')
  const { seenDigits, sentDigits } = shown
  if (seenDigits !== null && sentDigits !== null) {
    const isIntact = seenDigits === sentDigits
    return (
      <p className={classes(css.answer, isIntact ? css.intact : css.changed)} role="status">
        {isIntact ? words.intact(seenDigits) : words.changed(seenDigits, sentDigits)}
      </p>
    )
  }
  return (
    <form
      className={css.ask}
      onSubmit={(event) => {
        event.preventDefault()
        answer.mutate({ id: shown.id, digits })
      }}
    >
      <DigitBoxes label={words.ask} hint={words.askHint} count={4} value={digits} onChange={setDigits} />
      <Button look="ink" type="submit" disabled={digits.length < 4 || answer.isPending}>
        {words.check}
      </Button>
      <Mistake error={answer.error} />
    </form>
  )
}
