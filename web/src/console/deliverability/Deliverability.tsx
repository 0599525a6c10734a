// How every provider rings over every trunk, beside what is usual. A cell leads to its calls.

import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { Fragment } from 'react'
import { useFormats } from '../../formats.ts'
import { MenuChoice } from '../../parts/forms/Menu.tsx'
import { Pick } from '../../parts/forms/Pick.tsx'
import { LatestSwitchOvers } from '../../parts/tables/SwitchOvers.tsx'
import { classes } from '../../parts/text/classes.ts'
import { PageHead, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './deliverability.module.css'

type Shown = WebOutput<'deliverability'>
type Cell = Shown['cells'][number]

const refreshMs = 30_000
const fewCalls = 50

export function Deliverability() {
  const words = useScreenWords('deliverability')
  const [filters, change] = useFilters()
  const hours = filters['hours'] === '24' ? '24' : '3'
  const query = useReadWith('deliverability', { hours }, refreshMs)
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
      {(shown) =>
        shown.cells.length === 0 ? (
          <>
            <PageHead title={words.title}>{period}</PageHead>
            <Empty icon={Activity} title={words.empty} text={words.emptyText} />
          </>
        ) : (
          <>
            <Head shown={shown}>{period}</Head>
            <Matrix shown={shown} />
            <LatestSwitchOvers />
            <Changes shown={shown} />
          </>
        )
      }
    </Loaded>
  )
}

// The page opens with what an operator would ask first.
function Head({ shown: { cells }, children }: { readonly shown: Shown; readonly children: React.ReactNode }) {
  const words = useScreenWords('deliverability')
  const formats = useFormats()
  const fallen = cells.filter(({ hasFallen }) => hasFallen)
  const [worst] = fallen
  if (!worst) {
    return (
      <PageHead title={words.asUsual} lead={words.asUsualLead}>
        {children}
      </PageHead>
    )
  }
  const provider = worst.provider || words.unknown
  const isOneTrunk = new Set(cells.map(({ trunk }) => trunk)).size === 1
  const lead = (isOneTrunk ? words.fallenOneLead : words.fallenLead)(
    formats.percent(worst.rang / worst.dialled),
    formats.percent(worst.usual ?? 0),
    formats.number(worst.dialled),
  )
  return (
    <PageHead
      title={
        <span className={css.worse}>
          {words.fallen(provider, worst.trunk)}
          {fallen.length > 1 && words.andMore(fallen.length - 1)}
        </span>
      }
      lead={lead}
    >
      {children}
    </PageHead>
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
  const look = cell.hasFallen ? css.bad : cell.dialled < fewCalls ? css.few : css.good
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
