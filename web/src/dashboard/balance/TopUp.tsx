// How to pay. Nothing is credited from here: the operator's payment page reports the payment to the server, and the operator enters
// the payment of an invoice.

import { paymentLimits } from '@ringproof/contract/payments.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { useIsPayer } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { parseAmount } from './amount.ts'
import css from './balance.module.css'
import { Invoices } from './Invoices.tsx'
import { RequestInvoice } from './RequestInvoice.tsx'

export function TopUp({ shown: { pageLink, hasInvoices } }: { readonly shown: WebOutput<'balance'> }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  const isPayer = useIsPayer()
  const invoices = useRead('invoices', isPayer && hasInvoices)
  const [typed, setTyped] = useState('')
  const amount = parseAmount(typed, formats.currency)
  const { least, most } = paymentLimits
  if (!isPayer || (pageLink === '' && !hasInvoices)) return null
  return (
    <section className={css.topUp}>
      <h2>{words.topUp}</h2>
      <p className={css.note}>{pageLink === '' ? words.invoiceLead : words.topUpLead}</p>
      <div className={css.pay}>
        <Field
          label={words.amount(formats.symbol)}
          inputMode="decimal"
          value={typed}
          maxLength={12}
          error={
            typed !== '' && amount === undefined ? words.badAmount(formats.cap(least), formats.cap(most)) : undefined
          }
          onChange={(event) => setTyped(event.target.value)}
        />
        {pageLink !== '' && <PayLink pageLink={pageLink} amount={amount} />}
        {invoices.data && <RequestInvoice amount={amount} details={invoices.data.details} />}
      </div>
      {hasInvoices && <Loaded query={invoices}>{(known) => <Invoices known={known} />}</Loaded>}
    </section>
  )
}

function PayLink({ pageLink, amount }: { readonly pageLink: string; readonly amount: string | undefined }) {
  const words = useScreenWords('balance')
  if (amount === undefined) {
    return (
      <Button look="ink" disabled>
        {words.pay}
      </Button>
    )
  }
  return (
    <a className={buttonClass('ink')} href={pageLink.replaceAll('{amount}', amount)} target="_blank" rel="noreferrer">
      {words.pay}
      <ArrowUpRight size={15} aria-hidden="true" />
    </a>
  )
}
