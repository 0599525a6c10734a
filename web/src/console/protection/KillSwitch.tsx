import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { StopCalls } from '../../parts/forms/StopCalls.tsx'
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
  return (
    <AskChange
      change="resume-trunks"
      refreshes={['protection', 'trunks']}
      input={{}}
      notice={words.resumed}
      title={words.resumeTitle}
      lead={words.resumeText}
      action={words.resume}
      onClose={onClose}
    />
  )
}
