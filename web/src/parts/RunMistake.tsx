import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Mistake } from './State.tsx'
import css from './state.module.css'

// A request that was sent from the page: our own refusal, or the sentence with which the public API refused it.
export function RunMistake({
  run,
  error,
}: {
  readonly run: WebOutput<'run-here'> | undefined
  readonly error: unknown
}) {
  const refusal = run === undefined ? undefined : refusalIn(run.body)
  if (refusal === undefined) return <Mistake error={error} />
  return (
    <p className={css.mistake} role="alert">
      {refusal}
    </p>
  )
}

function refusalIn(body: string): string | undefined {
  const { status, error }: { status?: unknown; error?: unknown } = JSON.parse(body)
  return status === false && typeof error === 'string' ? error : undefined
}
