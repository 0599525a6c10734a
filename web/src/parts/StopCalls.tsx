import { useChange } from '../queries.ts'
import { AskWhy } from './AskWhy.tsx'
import { showNotice } from './notice.ts'

type Words = Readonly<Record<'title' | 'text' | 'action' | 'reason' | 'hint' | 'done', string>>

// The kill switch, on each of the screens that have it.
export function StopCalls({ words, onClose }: { readonly words: Words; readonly onClose: () => void }) {
  const stop = useChange('stop-trunks', ['protection', 'trunks'])
  const done = () => {
    onClose()
    showNotice({ text: words.done })
  }
  return (
    <AskWhy
      title={words.title}
      lead={words.text}
      action={words.action}
      label={words.reason}
      hint={words.hint}
      isDangerous
      isBusy={stop.isPending}
      error={stop.error}
      onDo={(reason) => stop.mutate({ reason }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}
