import { logPeriods } from '@ringproof/contract/lists/requests.ts'
import { Link, useParams } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { Options } from '../../parts/forms/Form.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { useLogFilters } from './filters.ts'
import { Groups } from './Groups.tsx'
import { Load } from './Load.tsx'
import css from './log.module.css'
import type { LogSummary } from './log-data.ts'
import { OneRequest } from './OneRequest.tsx'
import { Requests } from './Requests.tsx'

export function Log() {
  const { requestId }: { requestId?: string } = useParams({ strict: false })
  const { input } = useLogFilters()
  const { traffic, period, serviceId } = input
  const query = useReadWith('api-errors', { traffic, period, ...(serviceId === undefined ? {} : { serviceId }) })
  return (
    <Loaded query={query}>
      {(summary) =>
        requestId === undefined && !summary.hasAny ? (
          <Waiting />
        ) : (
          <>
            <Head summary={summary} />
            {requestId === undefined ? (
              <>
                <Load summary={summary} />
                <Groups summary={summary} period={period} />
                <Requests />
              </>
            ) : (
              <OneRequest id={requestId} summary={summary} period={period} />
            )}
          </>
        )
      }
    </Loaded>
  )
}

function Head({ summary }: { readonly summary: LogSummary }) {
  const words = useScreenWords('log')
  const { total, refused, ours } = summary
  const { input, change } = useLogFilters()
  const { period } = input
  const title =
    total === 0
      ? words.quiet
      : refused === 0
        ? words.allServed(total)
        : `${words.someRefused(refused, total)} ${words.byUs(ours)}`
  return (
    <PageHead title={title} lead={words.leads[period]}>
      <label className={css.pick}>
        <span className="unseen">{words.period}</span>
        <select value={period} onChange={({ target }) => change({ period: target.value })}>
          <Options of={logPeriods.map((value) => ({ value, text: words.periods[value] }))} />
        </select>
      </label>
    </PageHead>
  )
}

// Turns into the first row by itself.
function Waiting() {
  const words = useScreenWords('log')
  const traffic = useTraffic()
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Empty icon={ScrollText} title={words.waiting} text={words.waitingText}>
        <span className={css.pulse} aria-hidden="true" />
        <Link to={dashboardAddress('start', traffic)}>{words.waitingAct}</Link>
      </Empty>
    </>
  )
}
