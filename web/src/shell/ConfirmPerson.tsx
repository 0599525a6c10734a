import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { handleRefusals } from '../api.ts'
import { queryClient } from '../queries.ts'

// Few see it.
const ConfirmDialog = lazy(async () => ({ default: (await import('./ConfirmDialog.tsx')).ConfirmDialog }))

// Opens when the server asks for a fresh proof; the call that was refused waits for the outcome.
export function ConfirmPerson() {
  const [isOpen, setOpen] = useState(false)
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([])
  useEffect(() => {
    handleRefusals({
      onSignedOut: () => {
        queryClient.clear()
        location.assign('/dashboard/sign-in')
      },
      onMissingFactor: () => location.assign('/dashboard/account/security'),
      onOtherAccount: () => location.assign('/dashboard'),
      confirmPerson: () => {
        const outcome = Promise.withResolvers<boolean>()
        waiting.current.push(outcome.resolve)
        setOpen(true)
        return outcome.promise
      },
    })
  }, [])
  if (!isOpen) return null
  const end = (isConfirmed: boolean) => {
    setOpen(false)
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed)
  }
  return (
    <Suspense fallback={null}>
      <ConfirmDialog onEnd={end} />
    </Suspense>
  )
}
