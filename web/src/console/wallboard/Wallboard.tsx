// The installation at a glance: one sentence, what is wrong with its cause and the place where it is fixed, then how busy it is. It fills a
// screen on the wall, and fits a phone.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useLiveRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Needs, needsOf } from './Needs.tsx'
import { Tiles } from './Tiles.tsx'
import css from './wallboard.module.css'

export type Board = WebOutput<'wallboard'>

const refreshMs = 2_000
const recentMinutes = 10

export function Wallboard() {
  const query = useLiveRead('wallboard', refreshMs)
  const board = useRef<HTMLDivElement>(null)
  return (
    <div ref={board} className={css.wall}>
      <Loaded query={query}>
        {(shown) => (
          <>
            <Head board={shown} isLost={query.isError}>
              <FullScreen of={board} />
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
  isLost,
  children,
}: {
  readonly board: Board
  readonly isLost: boolean
  readonly children: React.ReactNode
}) {
  const words = useScreenWords('wallboard')
  const formats = useFormats()
  const { length: wrong } = needsOf(board)
  const down = board.trunks.filter(({ health }) => health.state === 'down')
  const only = down.length === 1 && wrong === 1 ? down[0] : undefined
  const isNew = board.trunks.length === 0
  const title = isNew ? words.noTrunks : only ? words.down(only.name) : wrong > 0 ? words.wrong(wrong) : words.well
  const lead = isNew ? words.noTrunksLead : wrong > 0 ? words.wrongLead : words.wellLead
  return (
    <PageHead title={<span className={wrong > 0 ? css.worse : undefined}>{title}</span>} lead={lead}>
      {isNew && (
        <Link to="/console/trunks/add" className={buttonClass('ink')}>
          {words.connect}
        </Link>
      )}
      <span className={isLost ? css.lost : css.live}>
        <i aria-hidden="true" />
        {isLost ? words.lost : words.live} <time>{formats.clock(board.at)}</time>
      </span>
      {children}
    </PageHead>
  )
}

// The browser's own, so that Escape leaves it.
function FullScreen({ of }: { readonly of: React.RefObject<HTMLDivElement | null> }) {
  const words = useScreenWords('wallboard')
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const note = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', note)
    return () => document.removeEventListener('fullscreenchange', note)
  }, [])
  const change = () => {
    const changing = isFull ? document.exitFullscreen() : of.current?.requestFullscreen()
    changing?.catch(() => undefined)
  }
  const Icon = isFull ? Minimize2 : Maximize2
  return (
    <Button onClick={change}>
      <Icon size={15} aria-hidden="true" />
      {isFull ? words.leave : words.full}
    </Button>
  )
}

function Now({ board: { trunks, minutes, waiting, webhooksDue, areWebhooksLate, earned } }: { readonly board: Board }) {
  const words = useScreenWords('wallboard')
  const formats = useFormats()
  const sum = (valueOf: (trunk: Board['trunks'][number]) => number) =>
    trunks.reduce((total, trunk) => total + valueOf(trunk), 0)
  const recent = totalOf(minutes.slice(-recentMinutes))
  return (
    <Figures
      of={[
        {
          name: words.now,
          value: formats.number(sum(({ activeCalls }) => activeCalls)),
          note: words.ofChannels(formats.number(sum(({ channels }) => channels))),
          to: '/console/calls',
        },
        {
          name: words.rate,
          value: formats.seconds(sum(({ startedPerSecond }) => startedPerSecond)),
          note: words.ofRate(formats.number(sum(({ callsPerSecond }) => callsPerSecond))),
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
        { name: words.earned, value: formats.money(earned) },
      ]}
    />
  )
}

function Hour({ minutes }: { readonly minutes: Board['minutes'] }) {
  const words = useScreenWords('wallboard')
  const formats = useFormats()
  const most = Math.max(1, ...minutes.map(({ dialled }) => dialled))
  const all = totalOf(minutes)
  const part = (calls: number) => ({ height: `${(calls / most) * 100}%` })
  return (
    <section>
      <div className={css.hourHead}>
        <h2>{words.hour}</h2>
        <span className={css.keys}>
          <i className={css.rang} aria-hidden="true" /> {words.rangKey} <i className={css.not} aria-hidden="true" />{' '}
          {words.notKey}
        </span>
      </div>
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
    </section>
  )
}

function totalOf(minutes: Board['minutes']): { readonly dialled: number; readonly rang: number } {
  return {
    dialled: minutes.reduce((sum, { dialled }) => sum + dialled, 0),
    rang: minutes.reduce((sum, { rang }) => sum + rang, 0),
  }
}
