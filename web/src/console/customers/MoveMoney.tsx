import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Segments } from '../../parts/forms/Button.tsx'
import { Field, Select } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'
import { parseAmount, type ShownCustomer } from './customer.ts'
import css from './customers.module.css'

const reasons = ['transfer', 'correction', 'refund', 'bonus', 'other'] as const
type Move = 'credit' | 'debit'
type ReasonKind = (typeof reasons)[number]

export function MoveMoney({ customer, onClose }: { readonly customer: ShownCustomer; readonly onClose: () => void }) {
  const words = useScreenWords('customers')
  const formats = useFormats()
  const [move, setMove] = useState<Move>('credit')
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<ReasonKind>('transfer')
  const [other, setOther] = useState('')
  const [reference, setReference] = useState('')
  const amount = parseAmount(typed)
  const isTooMuch = move === 'debit' && Number(amount ?? 0) > customer.balance
  const reason = kind === 'other' ? other.trim() : words.reasons[kind]
  const cited = reference.trim()
  return (
    <AskChange
      change="move-money"
      refreshes={['customer', 'customers']}
      input={amount === undefined ? undefined : { accountId: customer.id, move, amount, reason, reference: cited }}
      notice={({ balance, isRepeated }) => (isRepeated ? words.repeated(cited) : words.moved(formats.money(balance)))}
      title={words.moveTitle(customer.name)}
      action={words.moveAct[move](formats.money(Number(amount ?? 0)))}
      isReady={!isTooMuch && reason !== '' && cited !== ''}
      onClose={onClose}
    >
      {(isRefused) => (
        <>
          <Direction move={move} onMove={setMove} />
          <div className={css.pair}>
            <Field
              label={words.amount(formats.symbol)}
              isFirst
              inputMode="decimal"
              maxLength={20}
              value={typed}
              error={amountError({ typed, amount, isTooMuch }, words, formats.money(customer.balance))}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Reason kind={kind} onKind={setKind} />
          </div>
          {kind === 'other' && (
            <Field
              label={words.otherReason}
              maxLength={200}
              value={other}
              onChange={(event) => setOther(event.target.value)}
            />
          )}
          <Field
            label={words.reference}
            hint={words.referenceHint}
            maxLength={100}
            error={isRefused ? words.moveFailed : undefined}
            value={reference}
            onChange={(event) => setReference(event.target.value)}
          />
          <After before={customer.balance} change={(move === 'credit' ? 1 : -1) * Number(amount ?? 0)} />
          <p className={css.note}>{words.moveNote}</p>
        </>
      )}
    </AskChange>
  )
}

function Direction({ move, onMove }: { readonly move: Move; readonly onMove: (move: Move) => void }) {
  const words = useScreenWords('customers')
  return (
    <Segments
      label={words.moveLabel}
      value={move}
      onChange={onMove}
      of={(['credit', 'debit'] as const).map((value) => ({ value, text: words.moves[value] }))}
    />
  )
}

function Reason({ kind, onKind }: { readonly kind: ReasonKind; readonly onKind: (kind: ReasonKind) => void }) {
  const words = useScreenWords('customers')
  return (
    <Select
      label={words.reason}
      value={kind}
      onChange={onKind}
      of={reasons.map((value) => ({ value, text: words.reasons[value] }))}
    />
  )
}

function amountError(
  {
    typed,
    amount,
    isTooMuch,
  }: { readonly typed: string; readonly amount: string | undefined; readonly isTooMuch: boolean },
  words: ReturnType<typeof useScreenWords<'customers'>>,
  balance: string,
): string | undefined {
  if (isTooMuch) return words.tooMuch(balance)
  return typed !== '' && amount === undefined ? words.badAmount : undefined
}

function After({ before, change }: { readonly before: number; readonly change: number }) {
  const words = useScreenWords('customers')
  const formats = useFormats()
  return (
    <div className={css.after}>
      <small>{words.after}</small>
      <p>
        {formats.money(before)}
        <ArrowRight size={15} aria-hidden="true" />
        <b>{formats.money(Math.max(0, before + change))}</b>
      </p>
    </div>
  )
}
