import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { LegalDetailsDialog } from './LegalDetailsDialog.tsx'

// An account that has not said who pays is asked first.
export function RequestInvoice({
  amount,
  details,
}: {
  readonly amount: string | undefined
  readonly details: WebOutput<'invoices'>['details']
}) {
  const words = useScreenWords('balance')
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useChange('request-invoice', ['invoices'])
  const request = () => {
    if (amount === undefined) return
    mutate({ amount }, { onSuccess: ({ number }) => showNotice({ text: words.invoiceReady(number) }) })
  }
  return (
    <>
      <Button disabled={amount === undefined || isPending} onClick={() => (details ? request() : setAsking(true))}>
        {words.requestInvoice}
      </Button>
      <Mistake error={error} />
      {isAsking && (
        <LegalDetailsDialog
          details={null}
          action={words.requestInvoice}
          onSaved={() => {
            setAsking(false)
            request()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
