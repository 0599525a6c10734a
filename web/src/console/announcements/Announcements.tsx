// What all customers are to know: current and planned announcements, and the past.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { AddButton, AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { PageHead, Row, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { AddAnnouncement } from './AddAnnouncement.tsx'
import { announcementReads } from './announcement-reads.ts'
import css from './announcements.module.css'

type Announcement = WebOutput<'announcements'>['announcements'][number]

// One that is planned begins by itself.
const refreshMs = 15_000
const statusPath = '/status.json'
const shapes = { info: 'idle', degraded: 'poor', maintenance: 'poor', outage: 'down' } as const

export function Announcements() {
  return (
    <Loaded query={useReadWith('announcements', {}, refreshMs)}>
      {({ announcements }) => (announcements.length === 0 ? <None /> : <Page all={announcements} />)}
    </Loaded>
  )
}

function None() {
  const words = useScreenWords('announcements')
  return (
    <Empty icon={Megaphone} title={words.none} text={words.noneText} isPage>
      <Add />
    </Empty>
  )
}

function Page({ all }: { readonly all: readonly Announcement[] }) {
  const words = useScreenWords('announcements')
  const past = all.filter(({ state }) => state === 'past')
  const ahead = all.filter(({ state }) => state !== 'past')
  const current = ahead.filter(({ state }) => state === 'current').length
  const lead = (
    <>
      {words.lead} <a href={statusPath}>{statusPath}</a>.
    </>
  )
  return (
    <>
      <PageHead title={current === 0 ? words.quiet : words.active(current)} lead={lead}>
        <Add />
      </PageHead>
      <Section title={words.now} lead={words.nowLead}>
        {ahead.length === 0 && <p className={css.none}>{words.noneNow}</p>}
        {ahead.map((one) => (
          <Line key={one.id} one={one} />
        ))}
      </Section>
      <Section title={words.past} lead={words.pastLead}>
        {past.length === 0 && <p className={css.none}>{words.nonePast}</p>}
        {past.map((one) => (
          <Line key={one.id} one={one} />
        ))}
      </Section>
    </>
  )
}

function Add() {
  const words = useScreenWords('announcements')
  return (
    <AddButton text={words.add} look="ink">
      {(onClose) => <AddAnnouncement onClose={onClose} />}
    </AddButton>
  )
}

function Line({ one }: { readonly one: Announcement }) {
  const words = useScreenWords('announcements')
  const { shell } = useWords()
  const { language } = useLanguage()
  const span = useSpan(one)
  const [isEnding, setEnding] = useState(false)
  const { text, severity, state, stopsCalls } = one
  const facts = [
    shell.severities[severity],
    span,
    ...(stopsCalls ? [state === 'past' ? words.stoppedCalls : words.stopsCalls] : []),
  ]
  const isWithdrawn = one.endedAt !== null && one.endedAt <= one.from
  return (
    <Row
      title={
        <span className={css.text}>
          <Shape is={state === 'past' ? 'idle' : shapes[severity]} />
          {text[language]}
        </span>
      }
      note={
        <span className={css.facts}>
          <span lang={language === 'en' ? 'ru' : 'en'}>{language === 'en' ? text.ru : text.en}</span>
          <span>{facts.join(', ')}</span>
        </span>
      }
    >
      <span className={state === 'current' ? css.current : css.quiet}>
        {isWithdrawn ? words.withdrawn : words.states[state]}
      </span>
      {state !== 'past' && (
        <AdminButton isSmall aria-label={`${words.end}: ${text[language]}`} onClick={() => setEnding(true)}>
          {words.end}
        </AdminButton>
      )}
      {isEnding && <AskEnd one={one} onClose={() => setEnding(false)} />}
    </Row>
  )
}

function useSpan({ from, until, endedAt, state }: Announcement): string {
  const words = useScreenWords('announcements')
  const formats = useFormats()
  const end = state === 'past' ? (endedAt ?? until) : until
  if (end === null) return (state === 'planned' ? words.openLater : words.open)(formats.dayClock(from))
  return words.span(formats.dayClock(from), formats.dayClock(Math.max(end, from)))
}

function AskEnd({ one, onClose }: { readonly one: Announcement; readonly onClose: () => void }) {
  const words = useScreenWords('announcements')
  return (
    <AskChange
      change="end-announcement"
      refreshes={announcementReads}
      input={{ id: one.id }}
      notice={({ isResumed }) => (isResumed ? words.resumed : words.ended)}
      title={words.endTitle}
      lead={one.stopsCalls ? words.endStop : words.endText}
      action={words.end}
      onClose={onClose}
    />
  )
}
