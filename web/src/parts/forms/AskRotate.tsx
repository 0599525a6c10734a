import type { EndpointName, WebInput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { hourMs } from '../../time.ts'
import { AskChange, type AskChangeProps } from './AskChange.tsx'
import { Select } from './Form.tsx'

type RotateWords = Readonly<Record<'rotateLead' | 'rotate' | 'overlap' | 'overlapNow', string>> & {
  readonly rotateTitle: (name: string) => string
  readonly overlaps: Readonly<Record<number, string>>
  readonly overlapUntil: (time: string) => string
}

const usualHours = 24

// Asks for how many hours the old secret stays valid beside the new one.
export function AskRotate<Name extends EndpointName>({
  words,
  name,
  input,
  ...ask
}: Pick<AskChangeProps<Name>, 'change' | 'refreshes' | 'onDone' | 'onClose'> & {
  readonly words: RotateWords
  readonly name: string
  readonly input: (overlapHours: number) => WebInput<Name>
}) {
  const formats = useFormats()
  const [openedAt] = useState(Date.now)
  const [hours, setHours] = useState(usualHours)
  return (
    <AskChange<Name>
      {...ask}
      title={words.rotateTitle(name)}
      lead={words.rotateLead}
      action={words.rotate}
      input={input(hours)}
    >
      <Select
        label={words.overlap}
        hint={hours === 0 ? words.overlapNow : words.overlapUntil(formats.dayClock(openedAt + hours * hourMs))}
        value={hours}
        isFirst
        onChange={setHours}
        of={Object.entries(words.overlaps).map(([value, text]) => ({ value: Number(value), text }))}
      />
    </AskChange>
  )
}
