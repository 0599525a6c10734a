import type { EndpointName, WebInput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { AskChange, type AskChangeProps } from './AskChange.tsx'
import { Field } from './Form.tsx'

// A dialog whose change needs a reason, which is kept with it.
export function AskWhy<Name extends EndpointName>({
  label,
  hint,
  input,
  ...ask
}: Omit<AskChangeProps<Name>, 'isReady' | 'input' | 'children'> & {
  readonly label: string
  readonly hint: string
  readonly input: (reason: string) => WebInput<Name>
}) {
  const [typed, setTyped] = useState('')
  const reason = typed.trim()
  return (
    <AskChange<Name> {...ask} isReady={reason !== ''} input={input(reason)}>
      <Field
        label={label}
        hint={hint}
        maxLength={200}
        isFirst
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </AskChange>
  )
}
