// How to pay. Nothing is credited from here: the operator's payment page reports the payment to the server.

import { paymentRoubles } from '@ringproof/contract/payments.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { useIsPayer } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/Button.tsx'
import { Field } from '../../parts/Form.tsx'
import { useScreenWords } from '../../words/words.ts'
import { parseAmount } from './amount.ts'
import css from './balance.module.css'

const usualAmount = '5000'

export function TopUp({ shown: { pageLink } }: { readonly shown: WebOutput<'balance'> }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  const isPayer = useIsPayer()
  const [typed, setTyped] = useState(usualAmount)
  const amount = parseAmount(typed)
  const { least, most } = paymentRoubles
  if (pageLink === '') return null
  return (
    <section className={css.topUp}>
      <h2>{words.topUp}</h2>
      <p className={css.note}>{isPayer ? words.topUpLead : words.onlyPayers}</p>
      {isPayer && (
        <div className={css.pay}>
          <Field
            label={words.amount}
            inputMode="decimal"
            value={typed}
            maxLength={12}
            error={amount === undefined ? words.badAmount(formats.number(least), formats.number(most)) : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
          {amount === undefined ? (
            <Button look="ink" disabled>
              {words.pay}
            </Button>
          ) : (
            <a
              className={buttonClass('ink')}
              href={pageLink.replaceAll('{amount}', amount)}
              target="_blank"
              rel="noreferrer"
            >
              {words.pay}
              <ArrowUpRight size={15} aria-hidden="true" />
            </a>
          )}
        </div>
      )}
    </section>
  )
}
