import { useState } from 'react'
import { Ask } from '../../parts/Ask.tsx'
import { Select } from '../../parts/Form.tsx'
import { showNotice } from '../../parts/notice.ts'
import { useChange } from '../../queries.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'

const minuteMs = 60_000
const usualMinutes = 30

export function Recover({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('webhooks')
  const isTest = useTraffic() === 'test'
  const { mutate, isPending, error } = useChange('recover-webhooks', ['webhooks'])
  const [minutes, setMinutes] = useState(usualMinutes)
  return (
    <Ask
      title={words.recoverTitle}
      lead={words.recoverLead}
      action={words.recoverDo}
      isBusy={isPending}
      error={error}
      onDo={() =>
        mutate(
          { since: Date.now() - minutes * minuteMs, isTest },
          {
            onSuccess: ({ count }) => {
              showNotice({ text: words.recovered(count) })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <Select
        label={words.recoverSince}
        value={minutes}
        data-first=""
        onChange={(event) => setMinutes(Number(event.target.value))}
      >
        {Object.entries(words.recoverTimes).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Ask>
  )
}
