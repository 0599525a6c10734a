import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Select } from '../../parts/Form.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Service } from './service.ts'
import type { ShownKey } from './TheKey.tsx'

const hourMs = 3_600_000
const usualHours = 24

export function RotateKey({
  service,
  keyName,
  onClose,
  onKey,
}: {
  readonly service: Service
  readonly keyName: string
  readonly onClose: () => void
  readonly onKey: (key: ShownKey) => void
}) {
  const words = useScreenWords('services')
  const formats = useFormats()
  const { mutate, isPending, error } = useChange('rotate-service-key', ['services'])
  const [openedAt] = useState(Date.now)
  const [hours, setHours] = useState(usualHours)
  return (
    <Ask
      title={words.rotateTitle(keyName)}
      lead={words.rotateLead}
      action={words.rotate}
      isBusy={isPending}
      error={error}
      onDo={() =>
        mutate(
          { serviceId: service.id, name: keyName, overlapHours: hours },
          { onSuccess: (created) => onKey({ ...created, title: words.newKeyTitle(service.name) }) },
        )
      }
      onClose={onClose}
    >
      <Select
        label={words.overlap}
        hint={hours === 0 ? words.overlapNow : words.overlapUntil(formats.dayClock(openedAt + hours * hourMs))}
        value={hours}
        data-first=""
        onChange={(event) => setHours(Number(event.target.value))}
      >
        {Object.entries(words.overlaps).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Ask>
  )
}
