import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/AdminButton.tsx'
import { Ask } from '../../parts/Ask.tsx'
import { showNotice } from '../../parts/notice.ts'
import { StopCalls } from '../../parts/StopCalls.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './protection.module.css'

export function KillSwitch() {
  const words = useScreenWords('protection')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.kill}>
      <div>
        <b>{words.kill.action}</b>
        <p>{words.killNote}</p>
      </div>
      <AdminButton look="danger" aria-label={words.kill.action} onClick={() => setOpen(true)}>
        <OctagonX size={15} aria-hidden="true" />
        {words.killAct}
      </AdminButton>
      {isOpen && <StopCalls words={words.kill} onClose={() => setOpen(false)} />}
    </div>
  )
}

export function Stopped({ stop }: { readonly stop: NonNullable<WebOutput<'protection'>['stop']> }) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.stopped} role="alert">
      <OctagonX size={18} aria-hidden="true" />
      <div>
        <b>{words.killedBecause(stop.reason)}</b>
        <p>{words.killedSince(formats.dayClock(stop.stoppedAt))}</p>
      </div>
      <AdminButton onClick={() => setOpen(true)}>{words.resume}</AdminButton>
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
