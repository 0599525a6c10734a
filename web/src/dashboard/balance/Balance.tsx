// Money: how much there is, what changed it, and what calls cost. Every charge opens its verification.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { ChevronLeft, ChevronRight, FileText } from 'lucide-react'
import { useIsPayer } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { type Column, Table } from '../../parts/tables/Table.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useMe, useRead, useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './balance.module.css'
import { Change } from './Change.tsx'
import { Lines } from './Lines.tsx'
import { Prices } from './Prices.tsx'
import { TopUp } from './TopUp.tsx'

type Shown = WebOutput<'balance'>
type Line = Shown['lines'][number]

export function Balance() {
  const [{ month, day }, change] = useFilters()
  const query = useReadWith('balance', month === undefined ? {} : { month })
  return (
    <Loaded query={query}>
      {(shown) => (
        <>
          <Hero shown={shown} />
          <TopUp shown={shown} />
          <Statement shown={shown} onMonth={(next) => change({ month: next, day: undefined })} />
          {day !== undefined && <Lines key={day} day={day} />}
          <Prices shown={shown} />
        </>
      )}
    </Loaded>
  )
}

function Hero({ shown: { balance, held, daysLeft, pageLink, hasInvoices } }: { readonly shown: Shown }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  const isPayer = useIsPayer()
  const { supportAddress } = useMe().installation
  const canPay = pageLink !== '' || hasInvoices
  const rate = daysLeft === null ? (balance === 0 ? words.empty : words.notSpent) : words.lasts(daysLeft)
  return (
    <header className={css.hero}>
      <h1>{words.title(formats.money(balance))}</h1>
      <p>
        {rate} {held > 0 && `${words.held(formats.money(held))} `}
        {canPay ? !isPayer && words.onlyPayers : words.askOperator(supportAddress)}
      </p>
    </header>
  )
}

function Statement({ shown, onMonth }: { readonly shown: Shown; readonly onMonth: (month: string) => void }) {
  const words = useScreenWords('balance')
  const formats = useFormats()
  const sum = (isGain: boolean) =>
    shown.lines.reduce((all, { change }) => all + (change > 0 === isGain ? Math.abs(change) : 0), 0)
  const isThisMonth = shown.month === new Date().toISOString().slice(0, 7)
  return (
    <section>
      <div className={css.head}>
        <h2>{words.statement}</h2>
        <Button isSmall isIcon aria-label={words.earlier} onClick={() => onMonth(shifted(shown.month, -1))}>
          <ChevronLeft size={15} />
        </Button>
        <span>{formats.month(Date.parse(`${shown.month}-15`))}</span>
        <Button
          isSmall
          isIcon
          aria-label={words.later}
          disabled={isThisMonth}
          onClick={() => onMonth(shifted(shown.month, 1))}
        >
          <ChevronRight size={15} />
        </Button>
        {!isThisMonth && <ActLink shown={shown} />}
      </div>
      <dl className={css.sum}>
        <Sum name={words.opening} value={shown.opening} />
        <i aria-hidden="true">+</i>
        <Sum name={words.credited} value={sum(true)} />
        <i aria-hidden="true">−</i>
        <Sum name={words.charged} value={sum(false)} />
        <i aria-hidden="true">=</i>
        <Sum name={isThisMonth ? words.now : words.closing} value={shown.closing} />
      </dl>
      <p className={css.note}>{shown.lines.length === 0 ? words.none : words.equal}</p>
      {shown.lines.length > 0 && (
        <Table
          caption={words.statement}
          columns={useLineColumns()}
          items={shown.lines.toReversed().map((line, index) => ({ ...line, key: index }))}
          keyOf={({ key }) => key}
          addressOf={({ day }) => `${dashboardAddress('balance', 'live')}?month=${shown.month}&day=${day}`}
        />
      )}
    </section>
  )
}

// Of a month that is over, in which something was charged, for an account that has said who pays.
function ActLink({ shown: { month, lines, hasInvoices } }: { readonly shown: Shown }) {
  const words = useScreenWords('balance')
  const { data } = useRead('invoices', useIsPayer() && hasInvoices)
  if (!data?.details || !lines.some(({ kind }) => kind === 'charges')) return null
  return (
    <a className={buttonClass('plain', { isSmall: true })} href={`/web/acts/${month}`} target="_blank" rel="noreferrer">
      <FileText size={15} aria-hidden="true" />
      {words.act}
    </a>
  )
}

function Sum({ name, value }: { readonly name: string; readonly value: number }) {
  const formats = useFormats()
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formats.money(value)}</dd>
    </div>
  )
}

function useLineColumns(): readonly Column<Line>[] {
  const words = useScreenWords('balance')
  const formats = useFormats()
  return [
    { name: 'day', head: words.heads.day, cell: ({ day }) => formats.day(Date.parse(`${day}T12:00Z`)), narrow: 1 },
    {
      name: 'what',
      head: words.heads.what,
      cell: ({ kind, entries, reference }) => (
        <>
          {words.kinds[kind]}{' '}
          <span className={css.soft}>{kind === 'charges' ? words.entries(entries) : (reference ?? '')}</span>
        </>
      ),
      narrow: 5,
    },
    {
      name: 'change',
      head: words.heads.change,
      cell: ({ change }) => <Change value={change} />,
      isRight: true,
      narrow: 3,
    },
    {
      name: 'balance',
      head: words.heads.balance,
      cell: ({ balance }) => formats.money(balance),
      isRight: true,
      isQuiet: true,
      narrow: 6,
    },
  ]
}

function shifted(month: string, by: number): string {
  const date = new Date(`${month}-15T00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return date.toISOString().slice(0, 7)
}
