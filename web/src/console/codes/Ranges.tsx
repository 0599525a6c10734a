import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { spacedRange } from '../../parts/phone/phone-number.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import { useCountryName } from './code-list.ts'
import css from './codes.module.css'
import { TakeOut } from './TakeOut.tsx'

type Shown = WebOutput<'caller-numbers'>
type Range = Shown['ranges'][number]
type Opened = { readonly range: Range; readonly kind: 'quarantine' | 'remove' }

export function Ranges({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('caller-numbers')
  const [opened, setOpened] = useState<Opened>()
  return (
    <Section title={words.ranges} lead={words.rangesLead}>
      {shown.ranges.map((range) => (
        <OneRange
          key={`${range.trunk} ${range.country} ${range.first}`}
          range={range}
          onOpen={(kind) => setOpened({ range, kind })}
        />
      ))}
      {shown.rangesLeft > 0 && <p className={css.rest}>{words.rangesMore(shown.rangesLeft)}</p>}
      {opened && <TakeOut range={opened.range} kind={opened.kind} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}

function OneRange({ range, onOpen }: { readonly range: Range; readonly onOpen: (kind: Opened['kind']) => void }) {
  const words = useScreenWords('caller-numbers')
  const formats = useFormats()
  const nameOf = useCountryName()
  const { trunk, country, first, last } = range
  const text = spacedRange(range)
  return (
    <Row
      title={<span className={css.digits}>{text}</span>}
      note={words.rangeNote(trunk, nameOf(country), formats.number(last - first + 1))}
    >
      <RangeState range={range} />
      <span className={css.acts}>
        <AdminButton isSmall aria-label={words.takeOutOf(text)} onClick={() => onOpen('quarantine')}>
          {words.takeOut}
        </AdminButton>
        <AdminButton isSmall aria-label={words.removeOf(text)} onClick={() => onOpen('remove')}>
          {words.remove}
        </AdminButton>
      </span>
    </Row>
  )
}

function RangeState({ range: { isTrunkOn, out } }: { readonly range: Range }) {
  const words = useScreenWords('caller-numbers')
  if (!isTrunkOn) return <span className={css.bad}>{words.trunkOff}</span>
  return out > 0 ? <span className={css.warn}>{words.out(out)}</span> : <span className={css.good}>{words.live}</span>
}
