import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useFormats } from '../../formats.ts'
import { FilterRow } from '../../parts/tables/Filters.tsx'
import { Found } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Period } from './filters.ts'
import { GroupRow } from './Groups.tsx'
import css from './log.module.css'
import type { LogSummary, RequestDetail } from './log-data.ts'
import { RequestBody } from './Opened.tsx'
import { FindRequest, ResultTag } from './Requests.tsx'

// The request that an X-Request-Id names, and others of its kind.
export function OneRequest({
  id,
  summary,
  period,
}: {
  readonly id: string
  readonly summary: LogSummary
  readonly period: Period
}) {
  const words = useScreenWords('log')
  const traffic = useTraffic()
  const query = useReadWith('api-request', { id })
  return (
    <section className={css.sec}>
      <FilterRow className={css.filters} isTitled>
        <Link to={dashboardAddress('log', traffic)} className={css.back}>
          <ArrowLeft size={15} aria-hidden="true" />
          {words.allRequests}
        </Link>
        <FindRequest />
      </FilterRow>
      <Found query={query} words={words} isPage={false}>
        {(request) => <FoundRequest request={request} summary={summary} period={period} />}
      </Found>
    </section>
  )
}

function FoundRequest({
  request,
  summary,
  period,
}: {
  readonly request: RequestDetail
  readonly summary: LogSummary
  readonly period: Period
}) {
  const words = useScreenWords('log')
  const formats = useFormats()
  const { refusal, method, verb, at, id } = request
  const like = summary.groups.filter((group) => group.refusal.code === refusal?.code && group.method === method)
  return (
    <>
      <article className={css.one} aria-label={words.requestNamed(id)}>
        <header>
          <h2>
            {words.methodNames(method)} <small>{verb}</small>
          </h2>
          <ResultTag row={request} />
          <time dateTime={new Date(at).toISOString()}>
            {formats.day(at)}, {formats.exactClock(at)}
          </time>
          <code>{id}</code>
        </header>
        <RequestBody request={request} />
      </article>
      {like.length > 0 && (
        <div className={css.like}>
          <div className={css.secHead}>
            <h2>{words.like}</h2>
            <p>{words.periods[period]}</p>
          </div>
          <ul className={css.groups}>
            {like.map((group) => (
              <GroupRow key={`${group.refusal.title.en} ${group.subject}`} group={group} period={period} />
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
