import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Mistake } from '../text/State.tsx'
import css from '../text/state.module.css'

// A request that was sent from the page: our own refusal, or the sentence with which the public API refused it.
export function RunMistake({
  run,
  error,
}: {
  readonly run: WebOutput<'run-here'> | undefined
  readonly error: unknown
}) {
  const refusal = run === undefined ? undefined : refusalIn(run)
  if (refusal === undefined) return <Mistake error={error} />
  return (
    <p className={css.mistake} role="alert">
      {refusal}
    </p>
  )
}

// Not every body is ours: a proxy in front of the API may respond with an HTML page.
function refusalIn({ status, body }: WebOutput<'run-here'>): string | undefined {
  const error = errorIn(body)
  return error ?? (status >= 400 ? `HTTP ${status}` : undefined)
}

function errorIn(body: string): string | undefined {
  try {
    const parsed: { status?: unknown; error?: unknown } | null = JSON.parse(body)
    return parsed?.status === false && typeof parsed.error === 'string' ? parsed.error : undefined
  } catch {
    return undefined
  }
}
