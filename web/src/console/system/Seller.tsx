// The operator's company, as invoices and acts name it.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { AdminForm } from '../../parts/forms/AdminForm.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Section } from '../../parts/text/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './system.module.css'

type Details = NonNullable<WebOutput<'payment-settings'>['seller']>

const lengths: Readonly<Record<keyof Details, number>> = {
  name: 200,
  taxNumber: 12,
  reasonCode: 9,
  address: 300,
  bank: 200,
  bankCode: 20,
  bankAccount: 40,
  correspondentAccount: 40,
  signatory: 120,
  vatNote: 120,
}
const names = Object.keys(lengths) as (keyof Details)[]
const none = Object.fromEntries(names.map((name) => [name, ''])) as Details

export function Seller({ seller }: { readonly seller: Details | null }) {
  const words = useScreenWords('system')
  const isAdmin = useIsAdmin()
  const { mutate, isPending, error } = useChange('set-seller', ['payment-settings', 'balance'])
  const before = seller ?? none
  const [edited, setEdited] = useState(before)
  const isEmpty = names.every((name) => edited[name].trim() === '')
  const wrong: Partial<Record<keyof Details, string>> = isEmpty ? {} : wrongFields(edited, words)
  const isChanged = names.some((name) => edited[name] !== before[name])
  return (
    <Section title={words.seller} lead={words.sellerLead}>
      <AdminForm
        isReady={isChanged && Object.keys(wrong).length === 0}
        isBusy={isPending}
        error={error}
        onSave={() =>
          mutate(
            { seller: isEmpty ? null : edited },
            { onSuccess: () => showNotice({ text: isEmpty ? words.sellerRemoved : words.sellerSaved }) },
          )
        }
      >
        <div className={css.fields}>
          {names.map((name) => (
            <Field
              key={name}
              label={words.sellerFields[name]}
              maxLength={lengths[name]}
              disabled={!isAdmin}
              value={edited[name]}
              error={edited[name] === '' ? undefined : wrong[name]}
              onChange={(event) => setEdited({ ...edited, [name]: event.target.value })}
            />
          ))}
        </div>
      </AdminForm>
    </Section>
  )
}

function wrongFields(
  { name, taxNumber, reasonCode, address }: Details,
  words: { readonly badTaxNumber: string; readonly badReasonCode: string; readonly needed: string },
): Partial<Record<keyof Details, string>> {
  return {
    ...(name.trim() === '' ? { name: words.needed } : {}),
    ...(/^\d{10}(\d{2})?$/.test(taxNumber) ? {} : { taxNumber: words.badTaxNumber }),
    ...(/^(\d{9})?$/.test(reasonCode) ? {} : { reasonCode: words.badReasonCode }),
    ...(address.trim() === '' ? { address: words.needed } : {}),
  }
}
