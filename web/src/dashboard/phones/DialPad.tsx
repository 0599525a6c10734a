import { phoneCallerIds } from '@ringproof/contract/lists/phones.ts'
import { Delete, Phone as PhoneIcon } from 'lucide-react'
import { useState } from 'react'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Phone } from './phone.ts'
import css from './phones.module.css'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const
const lengthMin = 5
const lengthMax = 15
// Every inbound call is rejected, whether it matched or not.
const rejectedStatuses = new Set([486, 603])

// Calls a confirmation number from a virtual phone, with its own caller ID, without it, or with another one.
export function DialPad({ phone, called }: { readonly phone: Phone; readonly called: string }) {
  const words = useScreenWords('phones')
  const { mutate, data, isPending, error } = useChange('dial-from-phone', ['phones'])
  const [digits, setDigits] = useState(called)
  const [callerId, setCallerId] = useState<(typeof phoneCallerIds)[number]>('own')
  const put = (key: string) => setDigits((before) => (before + key).slice(0, lengthMax))
  return (
    <div className={css.pad}>
      <div className={css.typed}>
        <input
          aria-label={words.dialled}
          inputMode="numeric"
          value={digits}
          onChange={(event) => setDigits(event.target.value.replaceAll(/\D/g, '').slice(0, lengthMax))}
        />
        <button type="button" aria-label={words.erase} onClick={() => setDigits(digits.slice(0, -1))}>
          <Delete size={18} />
        </button>
      </div>
      <div className={css.keys} role="group" aria-label={words.dialPad}>
        {keys.map((key) => (
          <button key={key} type="button" onClick={() => put(key)}>
            {key}
          </button>
        ))}
        <button
          type="button"
          className={css.dial}
          aria-label={words.call}
          disabled={isPending || digits.length < lengthMin}
          onClick={() => mutate({ number: phone.number, called: digits, callerId })}
        >
          <PhoneIcon size={20} />
        </button>
      </div>
      <fieldset className={css.next}>
        <legend>{words.callerId}</legend>
        {phoneCallerIds.map((value) => (
          <button key={value} type="button" aria-pressed={callerId === value} onClick={() => setCallerId(value)}>
            {words.callerIds[value]}
          </button>
        ))}
      </fieldset>
      {data !== undefined && (
        <p className={css.dialStatus} role="status">
          {rejectedStatuses.has(data.status) ? words.dialRejected : words.dialStatus(data.status)}
        </p>
      )}
      <Mistake error={error} />
    </div>
  )
}
