// Statistics behind a read-only link: no session, nothing to change, nothing to follow. The token stays in the fragment, so that the
// page can be loaded again; no server sees it there.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { call, errorOf } from '../../api.ts'
import { TimeZoneContext, useFormats } from '../../formats.ts'
import { Brand } from '../../parts/Brand.tsx'
import { Segments } from '../../parts/Button.tsx'
import { Bars, Figures } from '../../parts/Charts.tsx'
import { Empty, Loaded } from '../../parts/State.tsx'
import { useMe } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { Card, HourAndWeekday, Providers, RingTimes } from '../statistics/Cards.tsx'
import { useRangeText } from '../statistics/ComparePeriods.tsx'
import { figuresOf } from '../statistics/figures.ts'
import statistics from '../statistics/statistics.module.css'
import css from './shared.module.css'

type Data = WebOutput<'shared-statistics'>

export function Shared() {
  const words = useScreenWords('statistics')
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  const query = useQuery({
    queryKey: ['shared-statistics', token],
    queryFn: () => call('shared-statistics', { token }),
    retry: false,
    enabled: token !== '',
  })
  const isRefused = query.error !== null && ['not-found', 'invalid'].includes(errorOf(query.error))
  return (
    <div className={css.page}>
      <main id="main">
        {isRefused || token === '' ? (
          <Empty icon={Link2Off} title={words.sharedGone} text={words.sharedGoneText} isPage />
        ) : (
          <Loaded query={query}>
            {(data) => (
              <TimeZoneContext value={data.timeZone}>
                <Page data={data} />
              </TimeZoneContext>
            )}
          </Loaded>
        )}
      </main>
      <Foot />
    </div>
  )
}

function Page({ data }: { readonly data: Data }) {
  const words = useScreenWords('statistics')
  const { mode } = useWords()
  const formats = useFormats()
  const rangeText = useRangeText()
  const chosen = [
    data.isTest && words.sharedTest,
    data.mode !== null && mode[data.mode],
    data.provider !== null && (data.provider || words.unknown),
    data.country,
  ].filter((one) => typeof one === 'string')
  return (
    <>
      <header className={css.head}>
        <h1>{data.name}</h1>
        <p>{words.sharedLead([rangeText(data), ...chosen].join(', '), rangeText(data.compared))}</p>
        <p className={css.quiet}>{words.sharedUntil(formats.fullDay(data.validUntil))}</p>
      </header>
      <Figures of={figuresOf(data, words, formats)} />
      <Providers data={data} />
      <div className={statistics.two}>
        <RingTimes data={data} />
        <Card title={words.sharedModes}>
          <Bars
            of={data.modes.map(({ mode: name, calls, charged }) => ({
              name: mode[name],
              value: calls,
              text: [formats.number(calls), ...(charged === null ? [] : [formats.money(charged)])].join(', '),
            }))}
          />
        </Card>
      </div>
      <HourAndWeekday data={data} />
    </>
  )
}

function Foot() {
  const { words, language, choose } = useLanguage()
  const { installation } = useMe()
  return (
    <footer className={css.foot}>
      <Brand className={css.brand} />
      <span>{installation.name}</span>
      <Segments
        label={words.shell.language}
        value={language}
        onChange={(next) => {
          choose(next).catch(() => undefined)
        }}
        of={(['en', 'ru'] as const).map((value) => ({ value, text: words.languageNames[value] }))}
      />
    </footer>
  )
}
