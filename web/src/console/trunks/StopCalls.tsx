import { useState } from 'react'
import { Ask } from '../../parts/Ask.tsx'
import { Field } from '../../parts/Form.tsx'
import { showNotice } from '../../parts/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'

export function StopCalls({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('trunks')
  const stop = useChange('stop-trunks', ['trunks'])
  const [reason, setReason] = useState('')
  const done = () => {
    onClose()
    showNotice({ text: words.stopDone })
  }
  return (
    <Ask
      title={words.stopTitle}
      lead={words.stopText}
      action={words.stop}
      isDangerous
      isReady={reason.trim() !== ''}
      isBusy={stop.isPending}
      error={stop.error}
      onDo={() => stop.mutate({ reason: reason.trim() }, { onSuccess: done })}
      onClose={onClose}
    >
      <Field
        label={words.stopReason}
        hint={words.stopHint}
        maxLength={200}
        isFirst
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Ask>
  )
}
