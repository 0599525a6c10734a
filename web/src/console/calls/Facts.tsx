import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { Covered, Digits } from '../../parts/charts/Ring.tsx'
import { Facts as FactLines } from '../../parts/phone/CallDetail.tsx'
import { useSells } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { ShownCall } from './shown-call.ts'

export function Facts({ shown }: { readonly shown: ShownCall }) {
  const words = useScreenWords('calls')
  const { mode, assurance } = useWords()
  const sells = useSells()
  const formats = useFormats()
  const { factNames: names } = words
  const number = shown.callerStart !== null && (
    <>
      {shown.callerStart} {shown.callerEnd === null ? <Covered /> : <Digits>{shown.callerEnd}</Digits>}
    </>
  )
  const money: readonly (readonly [string, ReactNode])[] = [
    [names.price, formats.price(shown.price)],
    ...shown.ledger.map(({ kind, amount }) => [names[kind], formats.price(amount)] as const),
  ]
  const lines: readonly (readonly [string, ReactNode])[] = [
    [
      names.customer,
      <Link key="customer" to="/console/calls" search={{ account: shown.accountId }}>
        {shown.accountName}
      </Link>,
    ],
    [names.service, shown.serviceName],
    [names.mode, mode[shown.mode]],
    [shown.mode === 'inbound' ? names.confirmation : names.caller, number],
    [assurance.name, shown.assurance !== null && assurance[shown.assurance]],
    [names.accepted, formats.exactClock(shown.acceptedAt)],
    [names.ended, shown.endedAt !== null && formats.exactClock(shown.endedAt)],
    [names.endedBy, shown.endedBy !== null && words.endedBy[shown.endedBy]],
    ...(sells ? money : []),
    [
      names.same,
      shown.sipStatus !== null && (
        <Link key="same" to="/console/calls" search={{ sip: shown.sipStatus }}>
          {words.sameCalls(String(shown.sipStatus))}
        </Link>
      ),
    ],
  ]
  return (
    <section>
      <h2>{words.facts}</h2>
      <FactLines of={lines} />
    </section>
  )
}
