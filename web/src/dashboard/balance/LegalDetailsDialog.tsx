import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './balance.module.css'

type Details = WebInput<'set-legal-details'>

const none: Details = { name: '', taxNumber: '', reasonCode: '', address: '' }

export function LegalDetailsDialog({
  details,
  action,
  onSaved,
  onClose,
}: {
  readonly details: WebOutput<'invoices'>['details']
  readonly action: string
  readonly onSaved: () => void
  readonly onClose: () => void
}) {
  const words = useScreenWords('balance')
  const [edited, setEdited] = useState(details ?? none)
  const isTaxNumber = /^\d{10}(\d{2})?$/.test(edited.taxNumber)
  const isReasonCode = /^(\d{9})?$/.test(edited.reasonCode)
  const field = (name: keyof Details) => ({
    label: words.details[name],
    value: edited[name],
    onChange: (event: { target: { value: string } }) => setEdited({ ...edited, [name]: event.target.value }),
  })
  const wrongTaxNumber = edited.taxNumber !== '' && !isTaxNumber
  return (
    <AskChange
      change="set-legal-details"
      refreshes={['invoices']}
      input={edited}
      onDone={onSaved}
      title={words.payerTitle}
      lead={words.payerLead}
      action={action}
      isReady={edited.name.trim() !== '' && edited.address.trim() !== '' && isTaxNumber && isReasonCode}
      onClose={onClose}
    >
      <div className={css.details}>
        <Field isFirst maxLength={200} autoComplete="organization" {...field('name')} />
        <Field
          inputMode="numeric"
          maxLength={12}
          error={wrongTaxNumber ? words.badTaxNumber : undefined}
          {...field('taxNumber')}
        />
        <Field
          inputMode="numeric"
          maxLength={9}
          hint={words.reasonCodeHint}
          error={isReasonCode ? undefined : words.badReasonCode}
          {...field('reasonCode')}
        />
        <Field maxLength={300} autoComplete="street-address" {...field('address')} />
      </div>
    </AskChange>
  )
}
