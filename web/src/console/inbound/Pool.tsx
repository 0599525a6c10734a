import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { spacedRange } from '../../parts/phone/phone-number.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './inbound.module.css'

type Numbers = WebOutput<'inbound'>['pool'][number]

export function Pool({ pool }: { readonly pool: readonly Numbers[] }) {
  const words = useScreenWords('inbound')
  const [removed, setRemoved] = useState<Numbers>()
  return (
    <Section title={words.pool} lead={words.poolLead}>
      {pool.map((numbers) => (
        <PoolRow
          key={`${numbers.trunk} ${numbers.first} ${numbers.isRemoved}`}
          numbers={numbers}
          onRemove={() => setRemoved(numbers)}
        />
      ))}
      {removed && <RemoveNumbers numbers={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  )
}

function PoolRow({ numbers, onRemove }: { readonly numbers: Numbers; readonly onRemove: () => void }) {
  const words = useScreenWords('inbound')
  const formats = useFormats()
  const { trunk, first, last, isRemoved } = numbers
  const text = spacedRange(numbers)
  return (
    <Row title={<span className={css.digits}>{text}</span>} note={words.note(trunk, formats.number(last - first + 1))}>
      <span className={isRemoved ? css.leaving : css.good}>{isRemoved ? words.leaving : words.inUse}</span>
      {!isRemoved && (
        <AdminButton isSmall aria-label={words.removeOf(text)} onClick={onRemove}>
          {words.remove}
        </AdminButton>
      )}
    </Row>
  )
}

function RemoveNumbers({ numbers, onClose }: { readonly numbers: Numbers; readonly onClose: () => void }) {
  const words = useScreenWords('inbound')
  const { trunk, first, last } = numbers
  const text = spacedRange(numbers)
  return (
    <AskChange
      change="remove-confirmation-numbers"
      refreshes={['inbound']}
      input={{ trunk, first, last }}
      notice={words.removed(text)}
      title={words.removeTitle(text)}
      lead={words.removeText}
      action={words.remove}
      isDangerous
      onClose={onClose}
    />
  )
}
