import { useIsBuilder } from '../../access.ts'
import { isOpen, type PhoneCall } from '../../parts/phone/call-status.ts'
import { CallActions, CallScreen, Handset, HandsetButtons, QuietScreen } from '../../parts/phone/Handset.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { DialPad } from './DialPad.tsx'
import type { Phone } from './phone.ts'
import css from './phones.module.css'
import { fixedNumbers } from './use-caller-service.ts'

type InHand = { readonly phone: Phone; readonly call: PhoneCall | undefined }

// The handset that is looked at: ringing, talking, or idle with its dial pad.
export function PhoneInHand({ phone, call }: InHand) {
  const { handset } = useWords()
  const current = call !== undefined && isOpen(call) ? call : undefined
  if (current?.state === 'talking') {
    return (
      <Handset number={phone.number}>
        <Talking phone={phone} call={current} />
      </Handset>
    )
  }
  if (current?.state === 'ringing' && current.callerNumber !== null) {
    return (
      <Handset number={phone.number}>
        <CallScreen label={handset.incoming} caller={current.callerNumber} service={current.serviceName} isRinging>
          <RingingActions phone={phone} />
        </CallScreen>
      </Handset>
    )
  }
  return (
    <Handset number={phone.number} isLit={false}>
      <Idle phone={phone} call={call} />
    </Handset>
  )
}

function RingingActions({ phone }: { readonly phone: Phone }) {
  const words = useScreenWords('phones')
  const isBuilder = useIsBuilder()
  const act = useChange('act-on-call', ['phones'])
  const set = useChange('set-phone', ['phones'])
  const { number, isReal } = phone
  // A simulated call rings by itself; nothing can be done to it.
  if (!isBuilder || !isReal) return null
  return (
    <>
      <CallActions
        onAnswer={() => act.mutate({ number, action: 'answer' })}
        onDecline={() => act.mutate({ number, action: 'decline' })}
      />
      <HandsetButtons>
        <button type="button" onClick={() => set.mutate({ number, state: 'rings' })}>
          {words.letRing}
        </button>
        <button type="button" onClick={() => act.mutate({ number, action: 'busy' })}>
          {words.busy}
        </button>
        <button type="button" onClick={() => set.mutate({ number, state: 'off' })}>
          {words.off}
        </button>
      </HandsetButtons>
      <Mistake error={act.error ?? set.error} />
    </>
  )
}

// The digits as the voice reads them.
function Talking({ phone, call }: { readonly phone: Phone; readonly call: PhoneCall }) {
  const { handset } = useWords()
  const isBuilder = useIsBuilder()
  const { mutate, error } = useChange('act-on-call', ['phones'])
  return (
    <CallScreen
      label={call.code === null ? handset.talking : handset.spoken}
      caller={call.code ?? call.callerNumber ?? ''}
      service={call.serviceName}
      isRinging={false}
    >
      {isBuilder && phone.isReal && (
        <CallActions onDecline={() => mutate({ number: phone.number, action: 'decline' })} />
      )}
      <Mistake error={error} />
    </CallScreen>
  )
}

// As a phone keeps it: the digits can be read after the ringing.
function missedOn({ state, rangMs, answeredMs, callerNumber }: PhoneCall, missed: string): string | undefined {
  if (rangMs === null || answeredMs !== null || callerNumber === null || state === 'waiting') return undefined
  return `${missed} ${callerNumber.slice(-4)}`
}

const nextStates = ['rings', 'answers', 'busy', 'off'] as const

function Idle({ phone, call }: InHand) {
  const words = useScreenWords('phones')
  const { handset } = useWords()
  const isBuilder = useIsBuilder()
  const { mutate, error } = useChange('set-phone', ['phones'])
  const waiting = call?.state === 'waiting' ? call.confirmationNumber : null
  const idle = call === undefined ? handset.idle : (missedOn(call, handset.missed) ?? handset.idle)
  return (
    <QuietScreen text={phone.state === 'off' ? words.isOff : idle}>
      {phone.isReal && isBuilder && phone.state !== 'off' && (
        <DialPad key={waiting ?? ''} phone={phone} called={waiting ?? ''} />
      )}
      {!phone.isReal && <p className={css.simulated}>{words.simulated}</p>}
      {isBuilder && !fixedNumbers.has(phone.number) && (
        <fieldset className={css.next}>
          <legend>{words.nextCall}</legend>
          {nextStates.map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={phone.state === state}
              onClick={() => mutate({ number: phone.number, state })}
            >
              {words.nextStates[state]}
            </button>
          ))}
        </fieldset>
      )}
      <Mistake error={error} />
    </QuietScreen>
  )
}
