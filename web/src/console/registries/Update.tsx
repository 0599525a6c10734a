// Fetches now instead of at the next hour: the button, and how the last attempt ended.

import { RefreshCw } from 'lucide-react'
import { useIsAdmin } from '../../access.ts'
import { errorOf } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './registries.module.css'
import type { Shown } from './shown.ts'

export function Update({
  shown: { fetch },
  isBusy,
  onAsked,
}: {
  readonly shown: Shown
  readonly isBusy: boolean
  readonly onAsked: () => void
}) {
  const words = useScreenWords('registries')
  const { state } = useWords()
  const isAdmin = useIsAdmin()
  const { mutate, isPending, error } = useChange('update-registries', ['registries'])
  const ask = () =>
    mutate(
      {},
      {
        onSuccess: () => {
          onAsked()
          showNotice({ text: words.asked })
        },
      },
    )
  const isUnheeded = error !== null && errorOf(error) === 'unavailable'
  return (
    <div className={css.update}>
      <Button
        disabled={!isAdmin || !fetch.isOn || isBusy || isPending}
        title={isAdmin ? (fetch.isOn ? words.updateHint : words.off) : state.onlyAdmins}
        onClick={ask}
      >
        <RefreshCw size={15} aria-hidden="true" />
        {words.update}
      </Button>
      {isUnheeded ? (
        <p className={css.mistake} role="alert">
          {words.noFetcher}
        </p>
      ) : (
        <Mistake error={error} />
      )}
    </div>
  )
}

export function UpdateState({ shown: { fetch }, isBusy }: { readonly shown: Shown; readonly isBusy: boolean }) {
  const words = useScreenWords('registries')
  const formats = useFormats()
  const { isOn, lastAttempt } = fetch
  if (isBusy) {
    return (
      <div role="status">
        <Row title={words.running} note={words.runningText} />
      </div>
    )
  }
  if (!isOn) return <Row title={words.off} note={words.offText} />
  if (lastAttempt?.result !== 'failed') return null
  return <Row title={words.failed(formats.ago(lastAttempt.at))} note={lastAttempt.reason} />
}
