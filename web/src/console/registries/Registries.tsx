import { Database } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { PageHead, Row, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useLiveReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Changes } from './Changes.tsx'
import { Kept } from './Kept.tsx'
import { LookUp } from './LookUp.tsx'
import type { Shown } from './shown.ts'
import { Update, UpdateState } from './Update.tsx'

// A fetch may take minutes; one that nobody starts within seconds does not come.
const idleMs = 60_000
const busyMs = 1_500
const startMsMax = 20_000

export function Registries() {
  const words = useScreenWords('registries')
  const [asked, setAsked] = useState<{ readonly lastAt: number | undefined; readonly untilMs: number }>()
  const isAwaited = ({ fetch }: Shown) =>
    asked !== undefined && fetch.lastAttempt?.at === asked.lastAt && Date.now() < asked.untilMs
  const isBusy = (shown: Shown) => shown.fetch.isRunning || isAwaited(shown)
  const query = useLiveReadWith('registries', {}, (shown) => (isBusy(shown) ? busyMs : idleMs))
  const onAsked = (shown: Shown) => setAsked({ lastAt: shown.fetch.lastAttempt?.at, untilMs: Date.now() + startMsMax })
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={query}>
        {(shown) => <Data shown={shown} isBusy={isBusy(shown)} onAsked={() => onAsked(shown)} />}
      </Loaded>
    </>
  )
}

function Data(props: { readonly shown: Shown; readonly isBusy: boolean; readonly onAsked: () => void }) {
  const words = useScreenWords('registries')
  const { state, previousVersion, version } = props.shown
  if (state === 'absent') return <Empty icon={Database} title={words.absent} text={words.absentText} />
  if (state === 'unreadable') return <Empty icon={Database} title={words.unreadable} text={words.unreadableText} />
  return (
    <>
      <InUse {...props} />
      {previousVersion !== null && <Changes version={version} />}
      <LookUp />
    </>
  )
}

function InUse({
  shown,
  isBusy,
  onAsked,
}: {
  readonly shown: Shown
  readonly isBusy: boolean
  readonly onAsked: () => void
}) {
  const words = useScreenWords('registries')
  const formats = useFormats()
  const { version, registries } = shown
  const lead = useLead(shown)
  return (
    <Section title={words.inUse} lead={lead} action={<Update shown={shown} isBusy={isBusy} onAsked={onAsked} />}>
      <UpdateState shown={shown} isBusy={isBusy} />
      {registries.length === 0 && <Row title={words.none} note={version === '' ? words.noneText : undefined} />}
      {registries.map(({ kind, source, rows, ranges, numbers, organisations }) => (
        <Row
          key={kind}
          title={kind}
          note={words.counts(formats.number(ranges), formats.number(numbers), formats.number(rows))}
        >
          <small>
            {words.organisations(organisations)}, {source}
          </small>
        </Row>
      ))}
      <Ported shown={shown} />
      <Kept shown={shown} />
    </Section>
  )
}

function useLead({ version, importedAt, fetchedAt, fetch }: Shown): string {
  const words = useScreenWords('registries')
  const formats = useFormats()
  const parts = [
    ...(version === '' || importedAt === null ? [] : [words.version(version, formats.moment(importedAt))]),
    fetchedAt === null ? words.notFetched : words.fetched(formats.ago(fetchedAt)),
    ...(fetchedAt !== null && fetch.lastAttempt?.result === 'unchanged' ? [words.unchanged] : []),
    ...(fetch.isOn ? [words.every(fetch.everyHours)] : []),
  ]
  return parts.join(' ')
}

function Ported({ shown: { ported, changes } }: { readonly shown: Shown }) {
  const words = useScreenWords('registries')
  if (ported === null) return <Row title={words.ported} note={words.portedNone} />
  const parts = [
    words.portedCount(ported.numbers),
    ...(ported.asOf === '' ? [] : [words.asOf(ported.asOf)]),
    ...(changes === null ? [] : [words.changes(changes.changes, changes.asOf)]),
  ]
  return (
    <Row title={words.ported} note={parts.join(', ')}>
      <small>{ported.source}</small>
    </Row>
  )
}
