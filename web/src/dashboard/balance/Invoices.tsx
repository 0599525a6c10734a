import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './balance.module.css'
import { LegalDetailsDialog } from './LegalDetailsDialog.tsx'

type Known = WebOutput<'invoices'>
type Invoice = Known['invoices'][number]

const shownFirst = 4

// Who pays, and the invoices so far. Each opens as a page to print.
export function Invoices({ known: { details, invoices } }: { readonly known: Known }) {
  const words = useScreenWords('balance')
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? invoices : invoices.slice(0, shownFirst)
  return (
    <>
      {details && <Payer details={details} />}
      {invoices.length === 0 ? (
        <p className={css.note}>{words.noInvoices}</p>
      ) : (
        <ul className={css.invoices} aria-label={words.invoices}>
          {shown.map((invoice) => (
            <InvoiceLine key={invoice.number} invoice={invoice} />
          ))}
        </ul>
      )}
      {shown.length < invoices.length && (
        <Button isSmall onClick={() => setWhole(true)}>
          {words.older}
        </Button>
      )}
    </>
  )
}

function Payer({ details }: { readonly details: NonNullable<Known['details']> }) {
  const words = useScreenWords('balance')
  const { save } = useWords()
  const [isEditing, setEditing] = useState(false)
  return (
    <p className={css.payer}>
      {words.payer(details.name, details.taxNumber)}{' '}
      <Button isSmall look="ghost" onClick={() => setEditing(true)}>
        {words.changePayer}
      </Button>
      {isEditing && (
        <LegalDetailsDialog
          details={details}
          action={save}
          onSaved={() => {
            setEditing(false)
            showNotice({ text: words.payerSaved })
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </p>
  )
}

function InvoiceLine({ invoice: { number, amount, at, paidAt } }: { readonly invoice: Invoice }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  return (
    <li>
      <FileText size={16} strokeWidth={1.6} aria-hidden="true" />
      <div>
        <a href={`/web/invoices/${number}`} target="_blank" rel="noreferrer">
          {words.invoice(number)}
        </a>
        <small>
          {formats.day(at)},{' '}
          {paidAt === null ? words.unpaid : <span className={css.gain}>{words.paid(formats.day(paidAt))}</span>}
        </small>
      </div>
      <span>{formats.money(amount)}</span>
    </li>
  )
}
