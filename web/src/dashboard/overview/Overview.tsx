// The day at a glance: one sentence, what needs the reader, five figures, and what happens right now.

import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { Bars, Figures } from '../../parts/charts/Charts.tsx'
import { Histogram, Legend } from '../../parts/charts/Histogram.tsx'
import { Shape } from '../../parts/charts/Ring.tsx'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { Table } from '../../parts/tables/Table.tsx'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useRead, useReadWith, useSells } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { Card } from '../statistics/Cards.tsx'
import { Fallen } from '../statistics/Fallen.tsx'
import { type AddressOf, type Data, figuresOf } from '../statistics/figures.ts'
import { PeriodChoice } from '../statistics/PeriodChoice.tsx'
import css from '../statistics/statistics.module.css'
import { useStatistics } from '../statistics/use-statistics.ts'
import { reasonText, useColumns } from '../verifications/columns.tsx'
import { overviewHeadline } from './overview-headline.ts'

const lowDays = 7
const reasonsShown = 5

export function Overview() {
  const { query, period, choosePeriod, addressOf } = useStatistics()
  return (
    <Loaded query={query}>
      {(data) => (
        <>
          <Sentence data={data}>
            <PeriodChoice value={period} onChange={choosePeriod} />
          </Sentence>
          <Needs data={data} addressOf={addressOf} />
          <TopFigures data={data} addressOf={addressOf} />
          <div className={css.two}>
            <Chart data={data} />
            <Reasons data={data} addressOf={addressOf} />
          </div>
          <RightNow />
        </>
      )}
    </Loaded>
  )
}

function Sentence({ data, children }: { readonly data: Data; readonly children: ReactNode }) {
  const words = useScreenWords('statistics')
  const { language } = useLanguage()
  const formats = useFormats()
  const lost = useLost()
  const { data: current } = useRead('current-announcements')
  const outage = current?.announcements.find(({ severity }) => severity === 'outage')?.text[language]
  return (
    <PageHeadline headline={overviewHeadline(data, outage, lost, Date.now(), words, formats)}>{children}</PageHeadline>
  )
}

function Needs({ data, addressOf }: { readonly data: Data; readonly addressOf: AddressOf }) {
  const words = useScreenWords('statistics')
  const { nav } = useWords()
  const sells = useSells()
  const { data: overview } = useRead('overview')
  const daysLeft = overview?.daysLeft ?? null
  return (
    <section className={css.needs} aria-label={words.needs}>
      <Fallen data={data} addressOf={addressOf} />
      {sells && daysLeft !== null && daysLeft < lowDays && (
        <div className={`${css.need} ${css.warn}`}>
          <Shape is="poor" />
          <p>
            <b>{words.low(daysLeft)}</b> {words.lowNote}
          </p>
        </div>
      )}
      {overview !== undefined && overview.failedWebhooks > 0 && (
        <div className={`${css.need} ${css.warn}`}>
          <Shape is="poor" />
          <p>
            <b>{words.webhooks(overview.failedWebhooks)}</b> {words.webhooksNote}
          </p>
          <Link to={dashboardAddress('webhooks', 'live')} className={buttonClass('plain', { isSmall: true })}>
            {nav.webhooks}
          </Link>
        </div>
      )}
    </section>
  )
}

function TopFigures({ data, addressOf }: { readonly data: Data; readonly addressOf: AddressOf }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  const sells = useSells()
  const { data: overview } = useRead('overview')
  const all = figuresOf(data, words, formats, addressOf, sells).filter(({ name }) => name !== words.repeats)
  const daysLeft = overview?.daysLeft ?? null
  const balance = {
    name: words.balance,
    value: overview === undefined ? '–' : formats.money(overview.balance),
    note: daysLeft === null ? words.notSpent : words.lasts(daysLeft),
    isWorse: daysLeft !== null && daysLeft < lowDays,
  }
  return <Figures of={sells ? [...all, balance] : all} />
}

function Chart({ data: { by, bins, until } }: { readonly data: Data }) {
  const words = useScreenWords('statistics')
  const { status } = useWords()
  const { open } = useScreenWords('verifications')
  const formats = useFormats()
  const traffic = useTraffic()
  const navigate = useNavigate()
  const nameOf = by === 'hour' ? formats.clock : formats.day
  return (
    <Card title={words.chart} aside={<span>{words.chartNote}</span>}>
      <div className={css.chart}>
        <Histogram
          label={words.chart}
          isTest={traffic === 'test'}
          by={by}
          until={until}
          bins={bins.map(({ at, calls, succeeded, failed }) => ({
            at,
            succeeded,
            failed,
            open: Math.max(0, calls - succeeded - failed),
            title: `${nameOf(at)}: ${words.found(calls)}`,
          }))}
          onChoose={(first, last) => {
            const search = new URLSearchParams({
              from: String(bins[first]?.at ?? 0),
              until: String(bins[last + 1]?.at ?? until),
            })
            navigate({ href: `${dashboardAddress('verifications', traffic)}?${search}` }).catch(() => undefined)
          }}
        />
        <Legend
          of={[
            { kind: 'succeeded', text: status.succeeded },
            { kind: 'failed', text: status.failed },
            { kind: 'open', text: open },
          ]}
        />
      </div>
    </Card>
  )
}

function Reasons({ data, addressOf }: { readonly data: Data; readonly addressOf: AddressOf }) {
  const words = useScreenWords('statistics')
  const { reasons } = useScreenWords('verifications')
  const formats = useFormats()
  return (
    <Card title={words.reasons} aside={<b>{formats.number(data.total.failed)}</b>}>
      {data.reasons.length === 0 ? (
        <span>{words.noFailures}</span>
      ) : (
        <Bars
          of={data.reasons.slice(0, reasonsShown).map(({ reason, calls }) => ({
            name: reasonText(reason, reasons),
            value: calls,
            text: formats.number(calls),
            to: addressOf({ status: 'failed', reason }),
          }))}
        />
      )}
    </Card>
  )
}

function RightNow() {
  const words = useScreenWords('statistics')
  const traffic = useTraffic()
  const query = useReadWith('verifications', { traffic })
  const columns = useColumns(['time', 'phone', 'code', 'status', 'from', 'price'])
  return (
    <section>
      <div className={css.sectionHead}>
        <h2>{words.right}</h2>
        <Link to={dashboardAddress('verifications', traffic)}>{words.all}</Link>
      </div>
      <Loaded query={query}>
        {({ verifications }) => (
          <Table
            caption={words.right}
            columns={columns}
            items={verifications.slice(0, 7)}
            keyOf={({ id }) => id}
            addressOf={({ id }) => dashboardAddress(`verifications/${id}`, traffic)}
            lookOf={({ status, isTest }) => (status === 'ringing' ? 'ringing' : isTest ? 'test' : undefined)}
          />
        )}
      </Loaded>
    </section>
  )
}
