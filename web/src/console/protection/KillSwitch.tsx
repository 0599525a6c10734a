import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { Field } from '../../parts/Form.tsx'
import { showNotice } from '../../parts/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './protection.module.css'

export function KillSwitch() {
  const words = useScreenWords('protection')
  const { state } = useWords()
  const isAdmin = useIsAdmin()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.kill}>
      <div>
        <b>{words.kill}</b>
        <p>{words.killNote}</p>
      </div>
      <Button
        look="danger"
        disabled={!isAdmin}
        title={isAdmin ? undefined : state.onlyAdmins}
        aria-label={words.kill}
        onClick={() => setOpen(true)}
      >
        <OctagonX size={15} aria-hidden="true" />
        {words.killAct}
      </Button>
      {isOpen && <AskStop onClose={() => setOpen(false)} />}
    </div>
  )
}

function AskStop({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('protection')
  const stop = useChange('stop-trunks', ['protection', 'trunks'])
  const [reason, setReason] = useState('')
  const done = () => {
    onClose()
    showNotice({ text: words.killed })
  }
  return (
    <Ask
      title={words.killTitle}
      lead={words.killText}
      action={words.kill}
      isDangerous
      isReady={reason.trim() !== ''}
      isBusy={stop.isPending}
      error={stop.error}
      onDo={() => stop.mutate({ reason: reason.trim() }, { onSuccess: done })}
      onClose={onClose}
    >
      <Field
        label={words.killReason}
        hint={words.killReasonHint}
        maxLength={200}
        isFirst
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Ask>
  )
}

export function Stopped({ stop }: { readonly stop: NonNullable<WebOutput<'protection'>['stop']> }) {
  const words = useScreenWords('protection')
  const { state } = useWords()
  const formats = useFormats()
  const isAdmin = useIsAdmin()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.stopped} role="alert">
      <OctagonX size={18} aria-hidden="true" />
      <div>
        <b>{words.killedBecause(stop.reason)}</b>
        <p>{words.killedSince(formats.dayClock(stop.stoppedAt))}</p>
      </div>
      <Button disabled={!isAdmin} title={isAdmin ? undefined : state.onlyAdmins} onClick={() => setOpen(true)}>
        {words.resume}
      </Button>
      {isOpen && <AskResume onClose={() => setOpen(false)} />}
    </div>
  )
}

function AskResume({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('protection')
  const resume = useChange('resume-trunks', ['protection', 'trunks'])
  const done = () => {
    onClose()
    showNotice({ text: words.resumed })
  }
  return (
    <Ask
      title={words.resumeTitle}
      lead={words.resumeText}
      action={words.resume}
      isBusy={resume.isPending}
      error={resume.error}
      onDo={() => resume.mutate({}, { onSuccess: done })}
      onClose={onClose}
    />
  )
}
