import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { classes } from '../../parts/text/classes.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { ShownCustomer } from './customer.ts'
import css from './customers.module.css'
import { RiskMeter } from './RiskMeter.tsx'

type Sign = ShownCustomer['risk']['signs'][number]

export function Risk({ risk }: { readonly risk: ShownCustomer['risk'] }) {
  const words = useScreenWords('customers')
  return (
    <Section title={words.risk} lead={words.riskLead} action={<RiskMeter risk={{ ...risk, signs: [] }} />}>
      {risk.signs.length === 0 && <p className={css.none}>{words.noSigns}</p>}
      {risk.signs.map((sign) => (
        <Row key={sign.kind} title={words.signs[sign.kind]} note={<SignValue sign={sign} />}>
          <b className={css.money}>{words.points(sign.points)}</b>
        </Row>
      ))}
    </Section>
  )
}

function SignValue({ sign: { kind, value } }: { readonly sign: Sign }) {
  const { values } = useScreenWords('customers')
  const formats = useFormats()
  if (kind === 'refused') return values.refused(value)
  if (kind === 'rarely-rings') return formats.percent(value)
  return kind === 'new' ? values.days(Math.floor(value)) : values.times(formats.seconds(value))
}

export function Ledger({ lines }: { readonly lines: ShownCustomer['lines'] }) {
  const words = useScreenWords('customers')
  const formats = useFormats()
  return (
    <Section title={words.ledger} lead={words.ledgerLead}>
      {lines.length === 0 && <p className={css.none}>{words.noLines}</p>}
      {lines.map(({ day, kind, change, entries, reference }, index) => (
        <Row
          key={index}
          title={reference ?? words.kinds[kind]}
          note={[
            formats.day(Date.parse(day)),
            ...(reference === null ? [] : [words.kinds[kind]]),
            ...(kind === 'charges' ? [words.entries(entries)] : []),
          ].join(', ')}
        >
          <b className={classes(css.money, change > 0 && css.gain)}>
            {change > 0 && '+'}
            {formats.money(change)}
          </b>
        </Row>
      ))}
    </Section>
  )
}

export function Members({ members }: { readonly members: ShownCustomer['members'] }) {
  const words = useScreenWords('customers')
  const { roles } = useWords()
  return (
    <Section title={words.members} lead={words.membersLead}>
      {members.length === 0 && <p className={css.none}>{words.noMembers}</p>}
      {members.map(({ email, name, role, hasFactor }) => (
        <Row
          key={email}
          title={<span className={css.text}>{name || email}</span>}
          note={[...(name === '' ? [] : [email]), hasFactor ? words.hasFactor : words.noFactor].join(', ')}
        >
          <span>{roles[role]}</span>
        </Row>
      ))}
    </Section>
  )
}

export function Actions({ customer: { id, actions } }: { readonly customer: ShownCustomer }) {
  const words = useScreenWords('customers')
  const formats = useFormats()
  return (
    <Section
      title={words.actions}
      lead={words.actionsLead}
      action={
        <Link to="/console/audit" search={{ account: id }}>
          {words.allActions}
        </Link>
      }
    >
      {actions.length === 0 && <p className={css.none}>{words.noActions}</p>}
      {actions.map(({ key, at, action, who, details }) => (
        <div key={key} className={css.action}>
          <p>
            <b>{action}</b>
            <time dateTime={new Date(at).toISOString()}>{formats.moment(at)}</time>
          </p>
          <small>{who || words.nobody}</small>
          {details !== '{}' && <code>{details}</code>}
        </div>
      ))}
    </Section>
  )
}
