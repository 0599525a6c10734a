import { useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Select } from '../../parts/forms/Form.tsx'
import { useTraffic } from '../../shell/use-traffic.ts'
import { minuteMs } from '../../time.ts'
import { useScreenWords } from '../../words/words.ts'

const usualMinutes = 30

export function Recover({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('webhooks')
  const isTest = useTraffic() === 'test'
  const [openedAt] = useState(Date.now)
  const [minutes, setMinutes] = useState(usualMinutes)
  return (
    <AskChange
      change="recover-webhooks"
      refreshes={['webhooks']}
      input={{ since: openedAt - minutes * minuteMs, isTest }}
      notice={({ count }) => words.recovered(count)}
      title={words.recoverTitle}
      lead={words.recoverLead}
      action={words.recoverDo}
      onClose={onClose}
    >
      <Select
        label={words.recoverSince}
        value={minutes}
        isFirst
        onChange={setMinutes}
        of={Object.entries(words.recoverTimes).map(([value, text]) => ({ value: Number(value), text }))}
      />
    </AskChange>
  )
}
