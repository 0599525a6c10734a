import { Link } from '@tanstack/react-router'
import { List, SearchX } from 'lucide-react'
import { useKept } from '../../kept.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { cleared, useFilters } from '../../shell/use-filters.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { ChooseColumns } from './ChooseColumns.tsx'
import { type ColumnName, usualColumns } from './columns.tsx'
import { FilterBar } from './FilterBar.tsx'
import { countedInput, hasFilters, inputOf } from './filters.ts'
import { Rows } from './Rows.tsx'
import { Top } from './Top.tsx'
import { Views } from './Views.tsx'

export function Verifications() {
  const words = useScreenWords('verifications')
  const traffic = useTraffic()
  const [filters, change] = useFilters()
  const [columns, keepColumns] = useKept<readonly ColumnName[]>('verification-columns', usualColumns)
  const input = inputOf(filters, traffic, Date.now())
  const query = useReadWith('verifications', input)
  const counted = countedInput(input)
  return (
    <>
      <PageHead title={words.title}>
        <Views />
        <ChooseColumns shown={columns} onChange={keepColumns} />
        <a className={buttonClass()} href={`/web/verifications.csv?${new URLSearchParams(input)}`} download>
          {words.csv}
        </a>
      </PageHead>
      <FilterBar filters={filters} change={change} />
      {counted && <Top input={counted} onChoose={(from, until) => change({ from, until, period: undefined })} />}
      <Loaded query={query}>
        {(first) =>
          first.verifications.length === 0 && first.nextBefore === null ? (
            <Nothing isFiltered={hasFilters(filters)} onClear={() => change(cleared(filters))} />
          ) : (
            <Rows key={JSON.stringify(input)} input={input} first={first} columns={columns} />
          )
        }
      </Loaded>
    </>
  )
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const words = useScreenWords('verifications')
  const traffic = useTraffic()
  if (isFiltered) {
    return (
      <Empty icon={SearchX} title={words.none} text={words.noneText}>
        <Button onClick={onClear}>{words.clearAll}</Button>
      </Empty>
    )
  }
  return (
    <Empty icon={List} title={words.empty} text={traffic === 'test' ? words.emptyTest : words.emptyLive}>
      <Link className={buttonClass('ink')} to={dashboardAddress('phones', 'test')}>
        {words.emptyAct}
      </Link>
    </Empty>
  )
}
