// Charts of plain boxes and lines. Each has its figures as text beside it or in its label.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from '../text/classes.ts'
import { Times } from './Axes.tsx'
import css from './charts.module.css'
import type { Figure } from './figure.ts'

// At most five, each a link that filters.
export function Figures({ of }: { readonly of: readonly Figure[] }) {
  return (
    <div className={css.figures}>
      {of.map(({ name, value, note, isWorse = false, to }) => {
        const inside = (
          <>
            <small>{name}</small>
            <b>{value}</b>
            {note !== undefined && <span className={classes(isWorse && css.worse)}>{note}</span>}
          </>
        )
        return to === undefined ? (
          <div key={name} className={css.figure}>
            {inside}
          </div>
        ) : (
          <Link key={name} to={to} className={css.figure}>
            {inside}
          </Link>
        )
      })}
    </div>
  )
}

type Dot = {
  readonly name: string
  readonly note: string
  // Shares from 0 to 1.
  readonly share: number
  readonly low: number
  readonly high: number
  readonly usual: number | null
  readonly hasFallen: boolean
  readonly to?: string
}

// The dot is now, the band its 95 % interval, the tick what is usual, dashes the fall.
export function Dots({
  of,
  heads,
  percent,
  points,
}: {
  readonly of: readonly Dot[]
  readonly heads: readonly [string, string]
  readonly percent: (share: number) => string
  readonly points: (share: number) => string
}) {
  const lowest = Math.min(...of.map(({ share, usual }) => Math.min(share, usual ?? 1)), 0.9)
  const from = Math.max(0, Math.floor(lowest * 5) / 5)
  // A wide band of few calls is cut at the edge.
  const x = (share: number) => `${((Math.max(from, share) - from) / (1 - from)) * 100}%`
  const ticks = Array.from({ length: 5 }, (_, index) => from + ((1 - from) * index) / 4)
  return (
    <div className={css.dots}>
      <div className={css.rowHead}>
        <span />
        <span className={css.scale}>
          {ticks.map((tick) => (
            <span key={tick} style={{ left: x(tick) }}>
              {percent(tick)}
            </span>
          ))}
        </span>
        <span>{heads[0]}</span>
        <span>{heads[1]}</span>
      </div>
      {of.map((row) => (
        <DotRow key={row.name} to={row.to}>
          <span className={css.who}>
            <b>{row.name}</b>
            <small>{row.note}</small>
          </span>
          <span className={classes(css.plot, row.hasFallen ? css.bad : css.good)} aria-hidden="true">
            {ticks.map((tick) => (
              <i key={tick} className={css.grid} style={{ left: x(tick) }} />
            ))}
            {row.hasFallen && row.usual !== null && (
              <i
                className={css.fall}
                style={{ left: x(row.share), width: `calc(${x(row.usual)} - ${x(row.share)})` }}
              />
            )}
            <i className={css.range} style={{ left: x(row.low), width: `calc(${x(row.high)} - ${x(row.low)})` }} />
            <i className={css.dot} style={{ left: x(row.share) }} />
            {row.usual !== null && <i className={css.usual} style={{ left: x(row.usual) }} />}
          </span>
          <span className={css.value}>{percent(row.share)}</span>
          <span className={classes(css.delta, row.hasFallen ? css.down : css.still)}>
            {row.usual === null ? '–' : points(row.share - row.usual)}
          </span>
        </DotRow>
      ))}
    </div>
  )
}

function DotRow({ to, children }: { readonly to: string | undefined; readonly children: ReactNode }) {
  if (to === undefined) return <div className={css.row}>{children}</div>
  return (
    <Link to={to} className={css.row}>
      {children}
    </Link>
  )
}

// Two percentiles over time; a stretch without calls is left out.
export function TimeLines({
  of,
  label,
  by,
  textOf,
}: {
  readonly of: readonly { readonly at: number; readonly low: number | null; readonly high: number | null }[]
  readonly label: string
  readonly by: 'hour' | 'day'
  // Of the values at the axis, with their unit.
  readonly textOf: (value: string) => string
}) {
  const points = of.flatMap(({ low, high }, index) => (low === null || high === null ? [] : [{ index, low, high }]))
  // Whole seconds at each of the lines.
  const top = Math.max(1, ...points.map(({ high }) => Math.ceil(high / 3))) * 3
  const x = (index: number) => (index / Math.max(1, of.length - 1)) * 100
  const y = (value: number) => 100 - (value / top) * 100
  const line = (name: 'low' | 'high') =>
    points.map((point, place) => `${place === 0 ? 'M' : 'L'}${x(point.index)} ${y(point[name])}`).join('')
  const back = points.toReversed().map(({ index, low }) => `L${x(index)} ${y(low)}`)
  return (
    <div className={css.lines} role="img" aria-label={label}>
      {[0, 1, 2, 3].map((step) => (
        <div key={step} className={css.y} style={{ top: `${(150 * step) / 3}px` }} aria-hidden="true">
          <span>{textOf(String((top * (3 - step)) / 3))}</span>
        </div>
      ))}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path className={css.band} d={`${line('high')}${back.join('')}Z`} />
        <path className={css.p95} d={line('high')} />
        <path className={css.p50} d={line('low')} />
      </svg>
      <Times bins={of} by={by} />
    </div>
  )
}

// Hour by weekday: green is usual, red is where calls fail, empty is no calls. A weekday without any call has no row.
export function Heat({
  of,
  days,
  titleOf,
  label,
}: {
  readonly of: readonly { readonly weekday: number; readonly hour: number; readonly share: number }[]
  readonly days: readonly string[]
  readonly titleOf: (day: string, hour: number, share: number) => string
  readonly label: string
}) {
  const byPlace = new Map(of.map((cell) => [cell.weekday * 24 + cell.hour, cell.share]))
  const rows = days
    .map((day, index) => ({ day, weekday: index + 1 }))
    .filter(({ weekday }) => of.some((cell) => cell.weekday === weekday))
  return (
    <div className={css.heat} role="img" aria-label={label}>
      {rows.map(({ day, weekday }) => [
        <small key={day}>{day}</small>,
        ...Array.from({ length: 24 }, (_, hour) => {
          const share = byPlace.get(weekday * 24 + hour)
          return (
            <i
              key={`${day}-${hour}`}
              className={css.cell}
              style={{ background: share === undefined ? 'var(--sunk)' : heatColour(share) }}
              title={share === undefined ? undefined : titleOf(day, hour, share)}
            />
          )
        }),
      ])}
      <div className={css.hours} aria-hidden="true">
        {['0', '3', '6', '9', '12', '15', '18', '21', '23'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </div>
  )
}

const poorShare = 0.8

function heatColour(share: number): string {
  if (share < poorShare) {
    const strength = Math.round(45 + (poorShare - share) * 60)
    return `color-mix(in oklab, var(--failed-fill) ${strength}%, var(--sheet))`
  }
  const good = (share - poorShare) / (1 - poorShare)
  return `color-mix(in oklab, var(--succeeded-fill) ${Math.round(12 + good * good * 76)}%, var(--sheet))`
}

// Lengths beside each other, the longest first.
export function Bars({
  of,
}: {
  readonly of: readonly { readonly name: string; readonly value: number; readonly text: string; readonly to?: string }[]
}) {
  const most = Math.max(1, ...of.map(({ value }) => value))
  return (
    <div className={css.bars}>
      {of.map(({ name, value, text, to }) => {
        const inside = (
          <>
            <span>{name}</span>
            <span>
              <i style={{ width: `${(value / most) * 100}%` }} />
            </span>
            <b>{text}</b>
          </>
        )
        return to === undefined ? (
          <div key={name} className={css.bar}>
            {inside}
          </div>
        ) : (
          <Link key={name} to={to} className={css.bar}>
            {inside}
          </Link>
        )
      })}
    </div>
  )
}
