import { severities } from '@ringproof/contract/lists/installation.ts'
import { languages } from '@ringproof/contract/lists/people.ts'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { use, useState } from 'react'
import { TimeZoneContext } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Area, Field, Select, Tick } from '../../parts/forms/Form.tsx'
import { momentOf } from '../../parts/tables/zone-day.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { announcementReads } from './announcement-reads.ts'
import css from './announcements.module.css'

type Severity = WebInput<'post-announcement'>['severity']
type Typed = {
  readonly severity: Severity
  readonly en: string
  readonly ru: string
  readonly from: string
  readonly until: string
  readonly isStopping: boolean
}

const textMax = 300
const empty: Typed = { severity: 'degraded', en: '', ru: '', from: '', until: '', isStopping: false }

export function AddAnnouncement({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('announcements')
  const timeZone = use(TimeZoneContext)
  const [typed, setTyped] = useState(empty)
  const { severity, isStopping } = typed
  const stopsCalls = severity === 'maintenance' && isStopping
  const input = {
    severity,
    en: oneLine(typed.en),
    ru: oneLine(typed.ru),
    from: stopsCalls ? null : parseTime(typed.from, timeZone),
    until: parseTime(typed.until, timeZone),
    stopsCalls,
  }
  return (
    <AskChange
      change="post-announcement"
      refreshes={announcementReads}
      input={input}
      notice={words.posted}
      title={words.add}
      lead={words.addLead}
      action={words.post}
      isDangerous={stopsCalls}
      isReady={input.en !== '' && input.ru !== ''}
      onClose={onClose}
    >
      {(isRefused) => (
        <Fields
          typed={typed}
          stopsCalls={stopsCalls}
          isRefused={isRefused}
          onChange={(some) => setTyped({ ...typed, ...some })}
        />
      )}
    </AskChange>
  )
}

function Fields({
  typed,
  stopsCalls,
  isRefused,
  onChange,
}: {
  readonly typed: Typed
  readonly stopsCalls: boolean
  readonly isRefused: boolean
  readonly onChange: (some: Partial<Typed>) => void
}) {
  const words = useScreenWords('announcements')
  const { shell } = useWords()
  const timeZone = use(TimeZoneContext)
  return (
    <>
      <Select
        label={words.severity}
        value={typed.severity}
        onChange={(severity) => onChange({ severity })}
        of={severities.map((value) => ({ value, text: shell.severities[value] }))}
      />
      {languages.map((language) => (
        <Area
          key={language}
          label={words[language]}
          lang={language}
          rows={2}
          maxLength={textMax}
          value={typed[language]}
          onChange={({ target }) => onChange({ [language]: target.value })}
        />
      ))}
      <div className={css.pair}>
        <Field
          label={words.from}
          hint={words.fromHint(timeZone)}
          type="datetime-local"
          disabled={stopsCalls}
          value={stopsCalls ? '' : typed.from}
          onChange={({ target }) => onChange({ from: target.value })}
        />
        <Field
          label={words.until}
          hint={words.untilHint}
          type="datetime-local"
          value={typed.until}
          error={isRefused ? words.failed : undefined}
          onChange={({ target }) => onChange({ until: target.value })}
        />
      </div>
      {typed.severity === 'maintenance' && (
        <Tick isOn={typed.isStopping} onChange={(isStopping) => onChange({ isStopping })}>
          {words.stop}
          <small className={css.note}>{words.stopNote}</small>
        </Tick>
      )}
    </>
  )
}

// A banner is one line: what was typed in several becomes one.
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function parseTime(typed: string, timeZone: string): number | null {
  return typed === '' ? null : momentOf(typed, timeZone)
}
