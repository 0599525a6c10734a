// The installation at a glance: one sentence, what is wrong with its cause and the place where it is fixed, then how busy it is. It fills a
// screen on the wall, and fits a phone.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { Maximize2 } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useFormats } from '../../formats.ts'
import type { Said } from '../../headline.ts'
import { Values } from '../../parts/charts/Axes.tsx'
import { topOf } from '../../parts/charts/axis.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { classes } from '../../parts/text/classes.ts'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useLiveRead, useSells } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import { Needs } from './Needs.tsx'
import { Tiles } from './Tiles.tsx'
import css from './wallboard.module.css'
import { isTaking, totalOf, wallboardHeadline } from './wallboard-headline.ts'

export type Board = WebOutput<'wallboard'>

const refreshMs = 2_000
const recentMinutes = 10

export function Wallboard() {
  const query = useLiveRead('wallboard', refreshMs)
  const lost = useLost(query)
  const words = useScreenWords('wallboard')
  const { isFull, enter } = useFullScreen()
  return (
    <div className={classes(css.wall, isFull && css.full, lost !== undefined && css.isLost)}>
      <Loaded query={query}>
        {(shown) => (
          <>
            <Head board={shown} lost={lost}>
              {!isFull && (
                <Button onClick={enter}>
                  <Maximize2 size={15} aria-hidden="true" />
                  {words.full}
                </Button>
              )}
            </Head>
            <Needs board={shown} />
            {shown.trunks.length > 0 && (
              <>
                <Now board={shown} />
                <Tiles trunks={shown.trunks} />
                <Hour minutes={shown.minutes} />
              </>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Head({
  board,
  lost,
  children,
}: {
  readonly board: Board
  readonly lost: Said | undefined
  readonly children: React.ReactNode
}) {
  const words = useScreenWords('wallboard')
  const formats = useFormats()
  return (
    <PageHeadline headline={wallboardHeadline(board, lost, words, formats)}>
      {board.trunks.length === 0 && (
        <Link to="/console/trunks/add" className={buttonClass('ink')}>
          {words.connect}
        </Link>
      )}
      <span className={lost === undefined ? css.live : css.lost}>
        <i aria-hidden="true" />
        {lost === undefined ? words.live : words.lost} <time>{formats.clock(board.at)}</time>
      </span>
      {children}
    </PageHeadline>
  )
}

// An address, so that a screen on the wall opens on it: dark in either theme, a size larger, without buttons. Escape leaves it.
function useFullScreen() {
  const [filters, change] = useFilters()
  const isFull = filters['full'] === 'true'
  const leave = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape' && isFull) change({ full: undefined })
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => leave(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return { isFull, enter: () => change({ full: 'true' }) }
}

function Now({ board: { trunks, minutes, waiting, webhooksDue, areWebhooksLate, earned } }: { readonly board: Board }) {
  const words = useScreenWords('wallboard')
  const sells = useSells()
  const formats = useFormats()
  const sum = (of: Board['trunks'], valueOf: (trunk: Board['trunks'][number]) => number) =>
    of.reduce((total, trunk) => total + valueOf(trunk), 0)
  const taking = trunks.filter(isTaking)
  const recent = totalOf(minutes.slice(-recentMinutes))
  return (
    <Figures
      of={[
        {
          name: words.now,
          value: formats.number(sum(trunks, ({ activeCalls }) => activeCalls)),
          note: words.ofChannels(formats.number(sum(taking, ({ channels }) => channels))),
          to: '/console/calls',
        },
        {
          name: words.rate,
          value: formats.seconds(sum(trunks, ({ startedPerSecond }) => startedPerSecond)),
          note: words.ofRate(formats.number(sum(taking, ({ callsPerSecond }) => callsPerSecond))),
          to: '/console/trunks',
        },
        {
          name: words.rang,
          value: recent.dialled === 0 ? '–' : formats.percent(recent.rang / recent.dialled),
          note: recent.dialled === 0 ? words.rangNone : words.rangOf(formats.number(recent.dialled)),
          to: '/console/deliverability',
        },
        {
          name: words.waiting,
          value: formats.number(waiting),
          note: words.due(formats.number(webhooksDue)),
          isWorse: areWebhooksLate,
        },
        ...(sells ? [{ name: words.earned, value: formats.money(earned) }] : []),
      ]}
    />
  )
}

function Hour({ minutes }: { readonly minutes: Board['minutes'] }) {
  const words = useScreenWords('wallboard')
  const formats = useFormats()
  const top = topOf(Math.max(0, ...minutes.map(({ dialled }) => dialled)))
  const all = totalOf(minutes)
  const part = (calls: number) => ({ height: `${(calls / top) * 100}%` })
  return (
    <section>
      <div className={css.hourHead}>
        <h2>{words.hour}</h2>
        <span className={css.keys}>
          <i className={css.rang} aria-hidden="true" /> {words.rangKey} <i className={css.not} aria-hidden="true" />{' '}
          {words.notKey}
        </span>
      </div>
      <div className={css.framed}>
        <Values top={top} textOf={formats.number} />
        <div
          className={css.columns}
          role="img"
          aria-label={words.hourSays(formats.number(all.dialled), formats.number(all.rang))}
        >
          {minutes.map(({ at, dialled, rang }) => (
            <span key={at}>
              <i className={css.not} style={part(dialled - rang)} />
              <i className={css.rang} style={part(rang)} />
            </span>
          ))}
        </div>
        <p className={css.times}>
          <time>{formats.clock(minutes[0]?.at ?? 0)}</time>
          <time>{formats.clock(minutes.at(-1)?.at ?? 0)}</time>
        </p>
      </div>
    </section>
  )
}
