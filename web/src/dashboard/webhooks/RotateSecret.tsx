import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Select } from '../../parts/Form.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { WebhookService } from './webhook.ts'

const hourMs = 3_600_000
const usualHours = 24

export function RotateSecret({
  service,
  onClose,
  onSecret,
}: {
  readonly service: WebhookService
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}) {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const { mutate, isPending, error } = useChange('rotate-webhook-secret', ['webhooks'])
  const [openedAt] = useState(Date.now)
  const [hours, setHours] = useState(usualHours)
  return (
    <Ask
      title={words.rotateTitle(service.name)}
      lead={words.rotateLead}
      action={words.rotate}
      isBusy={isPending}
      error={error}
      onDo={() =>
        mutate({ serviceId: service.id, overlapHours: hours }, { onSuccess: ({ secret }) => onSecret(secret) })
      }
      onClose={onClose}
    >
      <Select
        label={words.overlap}
        hint={hours === 0 ? words.overlapNow : words.oldUntil(formats.dayClock(openedAt + hours * hourMs))}
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
