import { useState } from 'react'
import { useIsOwner } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { DigitBoxes } from '../../parts/forms/DigitBoxes.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './account.module.css'
import type { SecurityData } from './security-data.ts'

// The owner's phone, confirmed by our own flash call.
export function OwnPhone({ ownPhone }: { readonly ownPhone: SecurityData['ownPhone'] }) {
  const words = useScreenWords('account')
  const { state } = useWords()
  const formats = useFormats()
  const isOwner = useIsOwner()
  const { verifiedAt, mask } = ownPhone
  return (
    <Section title={words.phone} lead={words.phoneLead}>
      {verifiedAt !== null && <Row title={words.phoneVerified(mask, formats.fullDay(verifiedAt))} />}
      {verifiedAt === null && !isOwner && <Row title={state.onlyOwners} />}
      {verifiedAt === null && isOwner && <ConfirmPhone />}
    </Section>
  )
}

function ConfirmPhone() {
  const words = useScreenWords('account')
  const call = useChange('call-own-phone')
  const confirm = useChange('confirm-own-phone', ['security', 'me', 'start', 'services'])
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const digits = phone.replaceAll(/\D/g, '')
  if (call.data === undefined) {
    return (
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          call.mutate({ phone: digits })
        }}
      >
        <Field
          label={words.phoneNumber}
          hint={words.phoneHint}
          type="tel"
          autoComplete="tel"
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
        <Mistake error={call.error} />
        <Button look="marker" type="submit" disabled={call.isPending || digits.length < 8}>
          {words.callMe}
        </Button>
      </form>
    )
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate({ code }, { onSuccess: () => showNotice({ text: words.phoneDone }) })
      }}
    >
      <DigitBoxes label={words.calling(call.data.mask)} count={4} value={code} onChange={setCode} />
      <Mistake error={confirm.error} />
      <div className={css.acts}>
        <Button look="ink" type="submit" disabled={confirm.isPending || code.length < 4}>
          {words.confirmPhone}
        </Button>
        <Button look="ghost" onClick={() => call.reset()}>
          {words.otherPhone}
        </Button>
      </div>
    </form>
  )
}
