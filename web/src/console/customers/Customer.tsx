// One customer: whether something is wrong, what can be done, then money, risk, services, people and what was done.

import { useParams } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { Histogram } from '../../parts/charts/Histogram.tsx'
import { BackLink } from '../../parts/text/Page.tsx'
import { Found } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useSubject } from '../../shell/page-title.ts'
import { dayMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'
import { Buttons, TariffButton } from './Buttons.tsx'
import type { ShownCustomer } from './customer.ts'
import css from './customers.module.css'
import { Actions, Ledger, Members, Risk } from './Parts.tsx'
import { StateChip } from './RiskMeter.tsx'
import { Services } from './Services.tsx'

const refreshMs = 15_000

export function Customer() {
  const words = useScreenWords('customers')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useReadWith('customer', { id }, refreshMs)
  return (
    <>
      <BackLink to="/console/customers" isUnderlined>
        {words.back}
      </BackLink>
      <Found query={query} words={words}>
        {(customer) => <Shown customer={customer} />}
      </Found>
    </>
  )
}

function Shown({ customer }: { readonly customer: ShownCustomer }) {
  useSubject(customer.name)
  return (
    <>
      <Hero customer={customer} />
      <Money customer={customer} />
      <Facts customer={customer} />
      <div className={css.two}>
        <div>
          <Services services={customer.services} />
          <Ledger lines={customer.lines} />
        </div>
        <div>
          <Risk risk={customer.risk} />
          <Members members={customer.members} />
          <Actions customer={customer} />
        </div>
      </div>
    </>
  )
}

function Hero({ customer }: { readonly customer: ShownCustomer }) {
  const words = useScreenWords('customers')
  const formats = useFormats()
  const { id, name, email, state, createdAt } = customer
  const lead = useLead(customer)
  return (
    <header className={css.hero}>
      <p className={css.facts}>
        <StateChip state={state} />
        <span>{words.id(id)}</span>
        {name !== email && <span>{email}</span>}
        <span>{words.since(formats.fullDay(createdAt))}</span>
      </p>
      <h1>{titleOf(customer, words)}</h1>
      {lead !== undefined && <p>{lead}</p>}
      <Buttons customer={customer} />
    </header>
  )
}

function titleOf(customer: ShownCustomer, words: ReturnType<typeof useScreenWords<'customers'>>): string {
  const { name, state, risk, balance, daysLeft } = customer
  const { heroes } = words
  if (state === 'closed') return heroes.closed(name)
  if (state === 'blocked') return heroes.blocked(name)
  if (risk.level !== 'low') return heroes.odd(name)
  if (balance === 0) return heroes.none(name)
  return daysLeft === null ? heroes.quiet(name) : heroes.days(name, daysLeft)
}

function useLead({ state, week }: ShownCustomer): string | undefined {
  const words = useScreenWords('customers')
  const formats = useFormats()
  if (state === 'closed') return words.closedLead
  if (state === 'blocked') return words.blockedLead
  return week.spent === 0 ? undefined : words.pace(formats.money(week.spent / 7))
}

function Money({ customer }: { readonly customer: ShownCustomer }) {
  const words = useScreenWords('customers')
  const formats = useFormats()
  const { balance, held, days, tariff, tariffs } = customer
  return (
    <div className={css.purse}>
      <div>
        <small>{words.balance}</small>
        <b className={css.sum}>{formats.money(balance)}</b>
        {held > 0 && <p>{words.held(formats.money(held))}</p>}
        <p className={css.tariff}>
          {words.tariff}: {tariffs.find(({ code }) => code === tariff)?.name ?? tariff}
          <TariffButton customer={customer} />
        </p>
      </div>
      <div>
        <small>{words.spentDays}</small>
        <Histogram
          label={words.spentDays}
          by="day"
          until={(days.at(-1)?.day ?? 0) + dayMs}
          textOf={formats.money}
          bins={days.map(({ day, spent }) => ({
            at: day,
            succeeded: 0,
            failed: 0,
            open: spent,
            title: `${formats.day(day)}: ${formats.money(spent)}`,
          }))}
        />
      </div>
    </div>
  )
}

function Facts({ customer: { week, lastRequestAt } }: { readonly customer: ShownCustomer }) {
  const { figures } = useScreenWords('customers')
  const formats = useFormats()
  return (
    <Figures
      of={[
        { name: figures.calls, value: formats.number(week.calls) },
        {
          name: figures.succeeded,
          value: week.calls === 0 ? figures.nothing : formats.percent(week.succeeded / week.calls),
        },
        { name: figures.rang, value: week.rang === null ? figures.nothing : formats.percent(week.rang) },
        { name: figures.spent, value: formats.money(week.spent) },
        { name: figures.last, value: lastRequestAt === null ? figures.never : formats.ago(lastRequestAt) },
      ]}
    />
  )
}
