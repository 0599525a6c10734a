import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useLanguage, useScreenWords } from '../../words/words.ts'
import type { Period } from './filters.ts'
import css from './log.module.css'
import type { LogSummary } from './log-data.ts'
import { SettingLink } from './SettingLink.tsx'

type Group = LogSummary['groups'][number]

// Refusals of one kind together, with what to do about them.
export function Groups({ summary, period }: { readonly summary: LogSummary; readonly period: Period }) {
  const words = useScreenWords('log')
  const { groups } = summary
  if (groups.length === 0) return null
  return (
    <section className={css.sec}>
      <div className={css.secHead}>
        <h2>{words.groups}</h2>
        <p>{words.groupsNote}</p>
      </div>
      <ul className={css.groups}>
        {groups.map((group) => (
          <GroupRow key={`${group.refusal.title.en} ${group.subject} ${group.method}`} group={group} period={period} />
        ))}
      </ul>
    </section>
  )
}

export function GroupRow({ group, period }: { readonly group: Group; readonly period: Period }) {
  const words = useScreenWords('log')
  const { language } = useLanguage()
  const formats = useFormats()
  const traffic = useTraffic()
  const { refusal, subject, method, httpStatus, requests, lastAt, columns } = group
  // Two columns of the chart above in one bar.
  const bars = columns.flatMap((count, at) => (at % 2 === 0 ? [count + (columns[at + 1] ?? 0)] : []))
  const most = Math.max(1, ...bars)
  return (
    <li>
      <span className={css.code}>{refusal.code}</span>
      <div>
        <h3>
          {refusal.title[language]}
          {subject !== '' && <code className={css.subject}>{subject}</code>}{' '}
          <small>{`${words.methodNames(method)}, HTTP ${httpStatus}`}</small>
        </h3>
        <p>{withoutTicks(refusal.fix[language])}</p>
      </div>
      <span className={css.mini} aria-hidden="true">
        {bars.map((count, at) => (
          <i
            key={at}
            className={count === 0 ? css.none : undefined}
            style={{ height: count === 0 ? '4%' : `${(count / most) * 88 + 12}%` }}
          />
        ))}
      </span>
      <b>
        {formats.number(requests)}
        <small>{words.last(formats.moment(lastAt))}</small>
      </b>
      <span className={css.do}>
        <SettingLink refusal={refusal} serviceId={group.serviceId} subject={subject} />
        <a
          href={`/docs/errors/${refusal.code}`}
          // One button in a row.
          className={refusal.settings.length > 0 ? css.show : buttonClass('plain', { isSmall: true })}
        >
          {words.howToFix}
        </a>
        <Link
          to={dashboardAddress('log', traffic)}
          search={{ period, code: refusal.code, method }}
          hash="requests"
          className={css.show}
        >
          {words.show(requests)}
        </Link>
      </span>
    </li>
  )
}

// The texts of the docs mark code with backticks.
export function withoutTicks(text: string): string {
  return text.replaceAll('`', '')
}
