import type { ReactNode } from 'react'
import { useFormats } from '../../formats.ts'
import { useWords } from '../../words/words.ts'
import { classes } from '../text/classes.ts'
import { type Place, type Placed, placeTexts } from './lane-texts.ts'
import css from './lanes.module.css'

const laneNames = ['api', 'call', 'money', 'webhook'] as const
type LaneName = (typeof laneNames)[number]
type Tone = 'ink' | 'marker' | 'succeeded' | 'failed' | 'open' | 'quiet'

// A point, or a stretch if it has an end. Seconds since the request.
export type LaneEvent = {
  readonly lane: LaneName
  readonly at: number
  readonly to?: number
  readonly text?: string
  readonly tone: Tone
  readonly place?: Place
  readonly look?: 'ghost' | 'hatched'
}

type LanesProps = {
  readonly events: readonly LaneEvent[]
  // Lanes without a name are not drawn.
  readonly names: Partial<Readonly<Record<LaneName, string>>>
  readonly notes: Readonly<Record<LaneName, string>>
  // Seconds; undefined when the call has ended.
  readonly now: number | undefined
  readonly nowName: string
  // Instead of events, in a lane without any.
  readonly said: Partial<Readonly<Record<LaneName, ReactNode>>>
}

function lanesIn(names: LanesProps['names']): readonly LaneName[] {
  return laneNames.filter((lane) => names[lane] !== undefined)
}

// What four sides saw of one call, on one clock. On a narrow screen the axis stands up: four rails.
export function Lanes({ events, names, notes, now, nowName, said }: LanesProps) {
  const { seconds } = useWords()
  const formats = useFormats()
  const length = lengthOf(events, now)
  const ticks = spacedTicks(length)
  return (
    <>
      <div className={classes(css.lanes, css.full)}>
        <div className={css.axis} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ left: placed(tick, length) }}>
              {tick > 0 && tick < 1 ? formats.seconds(tick) : formats.number(tick)}
              {tick === ticks.at(-1) && ` ${seconds}`}
            </span>
          ))}
        </div>
        {lanesIn(names).map((lane) => (
          <div key={lane} className={css.lane}>
            <div className={css.name}>
              {names[lane]}
              <small>{notes[lane]}</small>
            </div>
            <div className={css.track}>
              {ticks.map((tick) => (
                <i key={tick} className={css.tick} style={{ left: placed(tick, length) }} />
              ))}
              <Marks events={events.filter((event) => event.lane === lane)} length={length} letterWidth={wideLetter} />
              {said[lane] !== undefined && <div className={css.said}>{said[lane]}</div>}
            </div>
          </div>
        ))}
        {now !== undefined && (
          <div className={css.over}>
            <div className={css.now} style={{ left: placed(now, length) }}>
              <b className={share(now, length) > 0.9 ? css.atEnd : undefined}>
                {`${nowName} ${formats.seconds(now)} ${seconds}`}
              </b>
            </div>
          </div>
        )}
      </div>
      <Rails events={events} names={names} now={now} nowName={nowName} said={said} />
    </>
  )
}

// The same in small, for calls that are over.
export function SmallLanes({ events, names }: Pick<LanesProps, 'events' | 'names'>) {
  const length = lengthOf(events, undefined)
  return (
    <div className={classes(css.lanes, css.mini)}>
      {lanesIn(names).map((lane) => (
        <div key={lane} className={css.lane}>
          <div className={css.name}>{names[lane]}</div>
          <div className={css.track}>
            <Marks
              events={withLastText(events.filter((event) => event.lane === lane))}
              length={length * 1.35}
              letterWidth={smallLetter}
            />
          </div>
        </div>
      ))}
    </div>
  )
}

// In small there is room for one text behind the last point.
function withLastText(events: readonly LaneEvent[]): readonly LaneEvent[] {
  return events.map((event, at) => {
    if (event.to !== undefined || at === events.length - 1) return event
    const { text: _, ...rest } = event
    return rest
  })
}

const tickSeconds = [0, 0.1, 0.5, 1, 2, 4, 6, 8, 12, 20, 30, 60, 120, 300, 600]

function lengthOf(events: readonly LaneEvent[], now = 0): number {
  const last = Math.max(now, ...events.map(({ at, to }) => to ?? at))
  return tickSeconds.find((tick) => tick >= 8 && tick > last) ?? last
}

// The first second of a call holds more than the next ten, so it is drawn larger.
function share(at: number, length: number): number {
  return Math.sqrt(Math.max(0, at) / length)
}

function placed(at: number, length: number): string {
  return `${share(at, length) * 100}%`
}

// Shares of a lane's width, in full and in small.
const wideLetter = 0.0105
const smallLetter = 0.024

function Marks({
  events,
  length,
  letterWidth,
}: {
  readonly events: readonly LaneEvent[]
  readonly length: number
  readonly letterWidth: number
}) {
  const texts = placeTexts(
    events.map(({ at, to, text, place }) => ({
      at: share(at, length),
      // A stretch has its text inside.
      text: to === undefined ? (text ?? '') : '',
      place: place ?? 'above',
    })),
    letterWidth,
  )
  return events.map((event, at) => <Mark key={at} event={event} length={length} placed={texts[at]} />)
}

function Mark({
  event,
  length,
  placed: textAt,
}: {
  readonly event: LaneEvent
  readonly length: number
  readonly placed: Placed | undefined
}) {
  const left = placed(event.at, length)
  const tone = css[event.tone]
  if (event.to !== undefined) {
    const width = `calc(${placed(event.to, length)} - ${left})`
    return (
      <div className={classes(css.span, tone, event.look && css[event.look])} style={{ left, width }}>
        <span>{event.text}</span>
      </div>
    )
  }
  const place = css[textAt?.place ?? 'above']
  return (
    <>
      <i className={classes(css.point, tone)} style={{ left }} title={event.text} />
      {event.text !== undefined && textAt && (
        <>
          <i className={classes(css.stem, tone, place)} style={{ left }} />
          <span className={classes(css.text, place, textAt.isBefore && css.before)} style={{ left }}>
            {event.text}
          </span>
        </>
      )}
    </>
  )
}

function Rails({ events, names, now, nowName, said }: Omit<LanesProps, 'notes'>) {
  const { seconds } = useWords()
  const formats = useFormats()
  const rung = events.find(({ tone, to }) => tone === 'marker' && to !== undefined)
  const isRinging = (at: number) => rung !== undefined && at >= rung.at && at <= (rung.to ?? 0)
  const steps = events
    .filter(({ text, look }) => text !== undefined && look !== 'ghost')
    .toSorted((one, other) => one.at - other.at)
  return (
    <div className={css.rails}>
      <ol>
        {steps.map((event, index) => (
          <li key={index} className={css.step}>
            <Four isRinging={isRinging(event.at)} event={event} />
            <time>{`${formats.hundredths(event.at)} ${seconds}`}</time>
            <p>
              <small>{names[event.lane]}</small> {event.text}
            </p>
          </li>
        ))}
        {now !== undefined && (
          <li className={css.step}>
            <Four isRinging={isRinging(now)} />
            <time>{`${formats.hundredths(now)} ${seconds}`}</time>
            <p>
              <strong>{nowName}</strong>
            </p>
          </li>
        )}
      </ol>
      {laneNames.map(
        (lane) =>
          said[lane] !== undefined && (
            <div key={lane} className={css.saidBelow}>
              {said[lane]}
            </div>
          ),
      )}
    </div>
  )
}

function Four({ isRinging, event }: { readonly isRinging: boolean; readonly event?: LaneEvent }) {
  return (
    <span className={css.four} aria-hidden="true">
      {laneNames.map((lane) => (
        <i key={lane} className={lane === 'call' && isRinging ? css.on : undefined}>
          {event?.lane === lane && <b className={classes(css[event.tone], event.to !== undefined && css.full)} />}
        </i>
      ))}
    </span>
  )
}

// The square-root clock of a long wait has no room for every tick of its first seconds: each keeps a distance to the one before.
function spacedTicks(length: number): readonly number[] {
  const kept: number[] = []
  for (const tick of tickSeconds.filter((one) => one <= length)) {
    const before = kept.at(-1)
    if (before === undefined || Math.sqrt(tick / length) - Math.sqrt(before / length) >= tickDistanceMin)
      kept.push(tick)
  }
  return kept
}

// A share of the width: a label of four characters.
const tickDistanceMin = 0.06
