import { useState } from 'react'
import { call } from '../api.ts'
import { Button, Segments } from '../parts/forms/Button.tsx'
import { DigitBoxes } from '../parts/forms/DigitBoxes.tsx'
import { Field } from '../parts/forms/Form.tsx'
import { Modal } from '../parts/forms/Modal.tsx'
import { Mistake } from '../parts/text/State.tsx'
import { useMe } from '../queries.ts'
import { useWords } from '../words/words.ts'

type Way = 'password' | 'totp' | 'recovery'

export function ConfirmDialog({ onEnd }: { readonly onEnd: (isConfirmed: boolean) => void }) {
  const { confirm: words, cancel } = useWords()
  const { factors } = useMe()
  const ways: Way[] = factors.includes('totp') ? ['totp', 'recovery'] : ['password']
  const [way, setWay] = useState<Way>(ways[0] ?? 'password')
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>()
  const confirm = async () => {
    try {
      await call('confirm-person', { kind: way, code })
      onEnd(true)
    } catch (reason) {
      setError(reason)
    }
  }
  const choose = (next: Way) => {
    setWay(next)
    setCode('')
    setError(undefined)
  }
  return (
    <Modal
      title={words.title}
      lead={words.lead}
      onClose={() => onEnd(false)}
      onSubmit={() => {
        confirm().catch(() => undefined)
      }}
      foot={
        <>
          <Button onClick={() => onEnd(false)}>{cancel}</Button>
          <Button look="ink" type="submit" disabled={code === ''}>
            {words.button}
          </Button>
        </>
      }
    >
      {ways.length > 1 && (
        <Segments
          label={words.way}
          value={way}
          onChange={choose}
          of={ways.map((value) => ({ value, text: words.ways[value] }))}
        />
      )}
      {way === 'totp' && <DigitBoxes label={words.totp} count={6} value={code} onChange={setCode} isFirst />}
      {way === 'password' && (
        <Field
          label={words.password}
          isSecret
          isFirst
          autoComplete="current-password"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      {way === 'recovery' && (
        <Field label={words.recovery} isCode isFirst value={code} onChange={(event) => setCode(event.target.value)} />
      )}
      <Mistake error={error} />
    </Modal>
  )
}
