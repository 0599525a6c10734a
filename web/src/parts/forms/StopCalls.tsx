import { AskWhy } from './AskWhy.tsx'

type Words = Readonly<Record<'title' | 'text' | 'action' | 'reason' | 'hint' | 'done', string>>

// The kill switch, on each of the screens that have it.
export function StopCalls({ words, onClose }: { readonly words: Words; readonly onClose: () => void }) {
  return (
    <AskWhy
      change="stop-trunks"
      refreshes={['protection', 'trunks']}
      input={(reason) => ({ reason })}
      notice={words.done}
      title={words.title}
      lead={words.text}
      action={words.action}
      label={words.reason}
      hint={words.hint}
      isDangerous
      onClose={onClose}
    />
  )
}
