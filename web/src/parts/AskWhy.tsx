import { type ComponentProps, useState } from 'react'
import { Ask } from './Ask.tsx'
import { Field } from './Form.tsx'

// A dialog whose action needs a reason, which is kept with it.
export function AskWhy({
  label,
  hint,
  onDo,
  ...ask
}: Omit<ComponentProps<typeof Ask>, 'isReady' | 'onDo' | 'children'> & {
  readonly label: string
  readonly hint: string
  readonly onDo: (reason: string) => void
}) {
  const [typed, setTyped] = useState('')
  const reason = typed.trim()
  return (
    <Ask {...ask} isReady={reason !== ''} onDo={() => onDo(reason)}>
      <Field
        label={label}
        hint={hint}
        maxLength={200}
        isFirst
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </Ask>
  )
}
