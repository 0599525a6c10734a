import { Check } from 'lucide-react'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { DigitBoxes } from '../../parts/forms/DigitBoxes.tsx'
import type { PhoneCall } from '../../parts/phone/call-status.ts'
import { CallActions, CallScreen, Handset, QuietScreen } from '../../parts/phone/Handset.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './start.module.css'
import type { words as english } from './words.en.ts'

const shownSecondsMax = 3600

// The handset beside the request, the digits to type, and what happens meanwhile.
export function RingingNow({ call }: { readonly call: PhoneCall | undefined }) {
  const { handset } = useWords()
  const caller = call?.rangMs === null ? null : (call?.callerNumber ?? null)
  const isRinging = call?.state === 'ringing'
  return (
    <>
      <Handset number={call?.number ?? '79000000001'} isSmall isLit={caller !== null}>
        {call === undefined || caller === null ? (
          <QuietScreen text={handset.waiting} />
        ) : (
          <CallScreen
            label={isRinging ? handset.incoming : handset.missed}
            caller={caller}
            service={call.serviceName}
            isRinging={isRinging}
          >
            {isRinging && <RingingActions number={call.number} />}
          </CallScreen>
        )}
      </Handset>
      {call !== undefined && caller !== null && <TypeDigits key={call.id} verificationId={call.id} />}
      <Feed call={call} />
    </>
  )
}

function RingingActions({ number }: { readonly number: string }) {
  const isBuilder = useIsBuilder()
  const { data } = useRead('phones')
  const { mutate, error } = useChange('act-on-call', ['phones'])
  const isReal = data?.phones.some((phone) => phone.number === number && phone.isReal) === true
  // A simulated call rings by itself; nothing can be done to it.
  if (!isBuilder || !isReal) return null
  return (
    <>
      <CallActions
        onAnswer={() => mutate({ number, action: 'answer' })}
        onDecline={() => mutate({ number, action: 'decline' })}
      />
      <Mistake error={error} />
    </>
  )
}

function TypeDigits({ verificationId }: { readonly verificationId: number }) {
  const words = useScreenWords('start')
  const [digits, setDigits] = useState('')
  const { mutate, data: outcome, error, reset } = useChange('type-digits', ['start'])
  const type = (typed: string) => {
    setDigits(typed)
    if (typed.length === 4) mutate({ verificationId, digits: typed })
    else reset()
  }
  if (outcome?.isRight === true) {
    const seconds = Math.round(outcome.secondsSinceSignUp)
    return (
      <p className={css.verified} role="status">
        <Check size={18} strokeWidth={2.5} aria-hidden="true" />
        {seconds < shownSecondsMax ? words.verified(digits, seconds) : words.verifiedLater(digits)}
      </p>
    )
  }
  return (
    <div className={css.type}>
      <DigitBoxes label={words.type} isLabelHidden count={4} value={digits} onChange={type} />
      {outcome === undefined ? (
        <p className={css.note}>{words.type}</p>
      ) : (
        <p className={css.wrong} role="alert">
          {words.wrong}
        </p>
      )}
      <Mistake error={error} />
    </div>
  )
}

function Feed({ call }: { readonly call: PhoneCall | undefined }) {
  const words = useScreenWords('start')
  const shell = useWords()
  const formats = useFormats()
  const events = call === undefined ? [] : eventsOf(call, words.events, shell.mode[call.mode])
  return (
    <section className={css.feed}>
      <h2>
        <i />
        {words.feed}
      </h2>
      {call === undefined || events.length === 0 ? (
        <p className={css.note}>{words.feedEmpty}</p>
      ) : (
        <ol>
          {events.map(({ text, atMs }) => (
            <li key={text}>
              <time>{formats.exactClock(call.startedAt + atMs)}</time>
              {text}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

type EventWords = (typeof english)['events']

function eventsOf(call: PhoneCall, words: EventWords, mode: string): { text: string; atMs: number }[] {
  const end = call.state === 'failed' ? words.failed : words.succeeded
  const all: [string, number | null][] = [
    [words.request(mode), 0],
    [words.dialled, call.dialledMs],
    [words.rang, call.rangMs],
    [words.answered, call.answeredMs],
    [end, call.endedMs],
  ]
  return all.flatMap(([text, atMs]) => (atMs === null ? [] : [{ text, atMs }]))
}
