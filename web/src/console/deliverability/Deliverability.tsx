// How every provider rings over every trunk, beside what is usual. A cell leads to its calls.

import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useFormats } from '../../formats.ts'
import { fewCalls } from '../../headline.ts'
import { MenuChoice } from '../../parts/forms/Menu.tsx'
import { Pick } from '../../parts/forms/Pick.tsx'
import { LatestSwitchOvers } from '../../parts/tables/SwitchOvers.tsx'
import { classes } from '../../parts/text/classes.ts'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './deliverability.module.css'
import { deliverabilityHeadline } from './deliverability-headline.ts'

type Shown = WebOutput<'deliverability'>
type Cell = Shown['cells'][number]

const refreshMs = 30_000

export function Deliverability() {
  const words = useScreenWords('deliverability')
  const [filters, change] = useFilters()
  const hours = filters['hours'] === '24' ? '24' : '3'
  const query = useReadWith('deliverability', { hours }, refreshMs)
  const lost = useLost(query)
  const formats = useFormats()
  const period = (
    <Pick text={words.periods[hours]}>
      <MenuChoice
        closes
        label={words.period}
        value={hours}
        onChange={(value) => change({ hours: value === '3' ? undefined : value })}
        of={(['3', '24'] as const).map((value) => ({ value, text: words.periods[value] }))}
      />
    </Pick>
  )
  return (
    <Loaded query={query}>
      {(shown) => (
        <>
          <PageHeadline headline={deliverabilityHeadline(shown.cells, lost, words, formats)}>{period}</PageHeadline>
          {shown.cells.length > 0 && (
            <>
              <Matrix shown={shown} />
              <LatestSwitchOvers />
              <Changes shown={shown} />
            </>
          )}
        </>
      )}
    </Loaded>
  )
}

function Matrix({ shown: { cells } }: { readonly shown: Shown }) {
  const words = useScreenWords('deliverability')
  const { mode: modeNames } = useWords()
  const columns = columnsOf(cells)
  const providers = [...new Set(cells.map(({ provider }) => provider))]
  const byKey = new Map(cells.map((cell) => [keyOf(cell), cell]))
  return (
    <Section title={words.matrix} lead={words.matrixLead}>
      <div className={css.scroll} tabIndex={0} role="group" aria-label={words.matrix}>
        <table className={css.matrix}>
          <thead>
            <tr>
              <th rowSpan={2} scope="col">
                {words.provider}
              </th>
              {columns.map(({ trunk, modes }) => (
                <th key={trunk} colSpan={modes.length} scope="colgroup" className={css.trunk}>
                  {trunk}
                </th>
              ))}
            </tr>
            <tr>
              {columns.map(({ trunk, modes }) => (
                <Fragment key={trunk}>
                  {modes.map((mode) => (
                    <th key={mode} scope="col" className={css.mode}>
                      {modeNames[mode]}
                    </th>
                  ))}
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody>
            {providers.map((provider) => (
              <tr key={provider}>
                <th scope="row">{provider || words.unknown}</th>
                {columns.map(({ trunk, modes }) => (
                  <Fragment key={trunk}>
                    {modes.map((mode) => (
                      <td key={mode}>
                        <OneCell cell={byKey.get(keyOf({ provider, trunk, mode }))} />
                      </td>
                    ))}
                  </Fragment>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={css.legend}>
        <li className={css.good}>{words.legendUsual}</li>
        <li className={css.bad}>{words.legendWorse}</li>
        <li className={css.few}>{words.legendFew}</li>
      </ul>
    </Section>
  )
}

function OneCell({ cell }: { readonly cell: Cell | undefined }) {
  const words = useScreenWords('deliverability')
  const { mode } = useWords()
  const formats = useFormats()
  if (!cell) return <span className={css.none}>–</span>
  const look = cell.dialled < fewCalls ? css.few : cell.hasFallen ? css.bad : css.good
  const notes = [
    cell.usual !== null && words.usual(formats.percent(cell.usual)),
    words.interval(formats.percent(cell.low), formats.percent(cell.high)),
  ]
  return (
    <Link
      to="/console/calls"
      search={{ trunk: cell.trunk, mode: cell.mode, ...(cell.provider === '' ? {} : { provider: cell.provider }) }}
      className={classes(css.cell, look)}
      title={notes.filter(Boolean).join(', ')}
    >
      <b>{formats.percent(Math.round((cell.rang / cell.dialled) * 100) / 100)}</b>
      <small>{formats.number(cell.dialled)}</small>
      <span className="unseen">{words.cell(cell.provider || words.unknown, cell.trunk, mode[cell.mode])}</span>
    </Link>
  )
}

function Changes({ shown: { changes } }: { readonly shown: Shown }) {
  const words = useScreenWords('deliverability')
  const { mode: modeNames } = useWords()
  const formats = useFormats()
  return (
    <Section title={words.changes} lead={words.changesLead}>
      {changes.length === 0 ? (
        <p className={css.noChanges}>{words.noChanges}</p>
      ) : (
        <ul className={css.changes}>
          {changes.map(({ provider, trunk, mode, hourMs, before, after }) => (
            <li key={keyOf({ provider, trunk, mode })}>
              <time dateTime={new Date(hourMs).toISOString()}>{formats.dayClock(hourMs)}</time>
              <span>{words.change(provider || words.unknown, trunk, modeNames[mode])}</span>
              <b className={after < before ? css.down : css.up}>
                {words.fromTo(formats.percent(before), formats.percent(after))}
              </b>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

type Key = Pick<Cell, 'provider' | 'trunk' | 'mode'>

function keyOf({ provider, trunk, mode }: Key): string {
  return JSON.stringify([provider, trunk, mode])
}

// Only modes that a trunk has carried.
function columnsOf(cells: readonly Cell[]): readonly { trunk: string; modes: readonly Cell['mode'][] }[] {
  return [...Map.groupBy(cells, ({ trunk }) => trunk)].map(([trunk, of]) => ({
    trunk,
    modes: verificationModes.filter((mode) => of.some((cell) => cell.mode === mode)),
  }))
}
