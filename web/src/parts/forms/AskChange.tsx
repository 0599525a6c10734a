import type { EndpointName, WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { ComponentProps, ReactNode } from 'react'
import { errorOf } from '../../api.ts'
import { useChange } from '../../queries.ts'
import { showNotice } from '../text/notice.ts'
import { Ask } from './Ask.tsx'

export type AskChangeProps<Name extends EndpointName> = Omit<
  ComponentProps<typeof Ask>,
  'isBusy' | 'error' | 'onDo' | 'children'
> & {
  readonly change: Name
  readonly refreshes?: readonly EndpointName[]
  // Undefined: what was typed is not yet enough.
  readonly input: WebInput<Name> | undefined
  // Instead of onClose, after success.
  readonly onDone?: (output: WebOutput<Name>) => void
  // Said after success.
  readonly notice?: string | ((output: WebOutput<Name>) => string)
  // A function shows at its fields that the server found the input invalid.
  readonly children?: ReactNode | ((isInvalid: boolean) => ReactNode)
}

// A dialog that makes one change: it is busy meanwhile, a refusal stays in it, and success closes it.
export function AskChange<Name extends EndpointName>({
  change,
  refreshes,
  input,
  onDone,
  notice,
  isReady = true,
  children,
  ...ask
}: AskChangeProps<Name>) {
  const { mutate, isPending, error } = useChange(change, refreshes)
  const isInvalid = error !== null && errorOf(error) === 'invalid'
  const areFieldsTold = typeof children === 'function'
  const onSuccess = (output: WebOutput<Name>) => {
    if (onDone === undefined) ask.onClose()
    else onDone(output)
    const text = typeof notice === 'function' ? notice(output) : notice
    if (text !== undefined) showNotice({ text })
  }
  return (
    <Ask
      {...ask}
      isReady={isReady && input !== undefined}
      isBusy={isPending}
      error={areFieldsTold && isInvalid ? null : error}
      onDo={() => input !== undefined && mutate(input, { onSuccess })}
    >
      {areFieldsTold ? children(isInvalid) : children}
    </Ask>
  )
}
