// Caller numbers: which codes they cover, which ranges there are, what is out of use, and how evenly calls use them.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Grid3x3, Search } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { CoverageGrid, CoverageLegend } from '../../parts/charts/CoverageGrid.tsx'
import { AddButton } from '../../parts/forms/AdminButton.tsx'
import { Segments } from '../../parts/forms/Button.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords } from '../../words/words.ts'
import { codesInGaps, useCountryName } from './code-list.ts'
import css from './codes.module.css'
import { Holes } from './Holes.tsx'
import { ImportNumbers } from './ImportNumbers.tsx'
import { Quarantine } from './Quarantine.tsx'
import { Ranges } from './Ranges.tsx'
import { Use } from './Use.tsx'

type Shown = WebOutput<'caller-numbers'>

const codesAll = 9_999

export function Codes() {
  const [{ country }] = useFilters()
  return (
    <Loaded query={useReadWith('caller-numbers', country === undefined ? {} : { country })}>
      {(shown) => (shown.ranges.length === 0 ? <NoNumbers shown={shown} /> : <Numbers shown={shown} />)}
    </Loaded>
  )
}

function NoNumbers({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('caller-numbers')
  const hasTrunk = shown.trunks.length > 0
  return (
    <Empty icon={Grid3x3} title={words.none} text={hasTrunk ? words.noneText : words.noTrunk} isPage>
      {hasTrunk && <ImportButton shown={shown} isFirst />}
    </Empty>
  )
}

function Numbers({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('caller-numbers')
  const formats = useFormats()
  const nameOf = useCountryName()
  const [{ code }, change] = useFilters()
  const [chosen, setChosen] = useState(/^\d{4}$/.test(code ?? '') ? Number(code) : undefined)
  const { gaps, gapsLeft, counts, country } = shown
  const missing = codesInGaps(gaps) + gapsLeft
  const at = chosen ?? Number(gaps[0]?.first ?? '0001')
  const numbers = shown.countries.find((one) => one.country === country)?.numbers ?? 0
  return (
    <>
      <PageHead
        title={
          <span className={css.big}>
            {missing === 0 ? words.all : words.some(formats.number(codesAll - missing), formats.number(codesAll))}
            {missing > 0 && (
              <>
                {', '}
                <em>{words.cannot(formats.number(missing))}</em>
              </>
            )}
          </span>
        }
        lead={words.lead(numbers, nameOf(country))}
      >
        <ImportButton shown={shown} />
      </PageHead>
      {shown.countries.length > 1 && (
        <div className={css.countries}>
          <Segments
            label={words.country}
            value={country}
            of={shown.countries.map((one) => ({ value: one.country, text: nameOf(one.country) }))}
            onChange={(next) => change({ country: next, code: undefined })}
          />
        </div>
      )}
      <div className={css.two}>
        <section>
          <div className={css.head}>
            <h2>{words.grid}</h2>
            <LookUp onCode={setChosen} />
          </div>
          <p className={css.note}>{words.gridNote}</p>
          <CoverageGrid
            counts={counts}
            label={words.gridLabel}
            shown={at}
            textOf={(one) => cellText(words, counts, one)}
            onShow={setChosen}
          />
          <div className={css.under}>
            <CoverageLegend texts={words.shades} />
          </div>
        </section>
        <div>
          {missing > 0 && <Holes gaps={gaps} left={gapsLeft} shown={at} onShow={setChosen} />}
          <Use country={country} />
          <Quarantine quarantines={shown.quarantines} />
        </div>
      </div>
      <Ranges shown={shown} />
    </>
  )
}

function cellText(words: ReturnType<typeof useScreenWords<'caller-numbers'>>, counts: string, code: number): string {
  const text = String(code).padStart(4, '0')
  const count = Number(counts[code])
  if (code === 0) return words.notACode
  if (count === 0) return words.noneEnds(text)
  return count >= 9 ? words.manyEnd(text) : words.ends(text, count)
}

function LookUp({ onCode }: { readonly onCode: (code: number) => void }) {
  const words = useScreenWords('caller-numbers')
  return (
    <label className={css.look}>
      <Search size={14} aria-hidden="true" />
      <span className="unseen">{words.look}</span>
      <input
        placeholder={words.look}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        onChange={({ target: { value } }) => {
          if (/^\d{4}$/.test(value)) onCode(Number(value))
        }}
      />
    </label>
  )
}

function ImportButton({ shown, isFirst = false }: { readonly shown: Shown; readonly isFirst?: boolean }) {
  const words = useScreenWords('caller-numbers')
  return (
    <AddButton text={words.import} look={isFirst ? 'ink' : 'plain'} disabled={shown.trunks.length === 0}>
      {(onClose) => <ImportNumbers trunks={shown.trunks} country={shown.country || 'RU'} onClose={onClose} />}
    </AddButton>
  )
}
