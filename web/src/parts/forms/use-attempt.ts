import { useState } from 'react'

// One thing a form does: its button waits, its error is shown, and a second press while it runs does nothing.
export function useAttempt(attempt: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await attempt()
    } catch (reason) {
      setError(reason)
    }
    setBusy(false)
  }
  return {
    isBusy,
    error,
    start: () => {
      run().catch(() => undefined)
    },
  }
}
