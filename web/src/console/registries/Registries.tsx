import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Database } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/AdminButton.tsx'
import { Ask } from '../../parts/Ask.tsx'
import { showNotice } from '../../parts/notice.ts'
import { PageHead, Row, Section } from '../../parts/Page.tsx'
import { Empty, Loaded } from '../../parts/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { LookUp } from './LookUp.tsx'

type Shown = WebOutput<'registries'>

export function Registries() {
  const words = useScreenWords('registries')
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={useRead('registries')}>{(shown) => <Data shown={shown} />}</Loaded>
    </>
  )
}

function Data({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('registries')
  if (shown.state === 'absent') return <Empty icon={Database} title={words.absent} text={words.absentText} />
  if (shown.state === 'unreadable')
    return <Empty icon={Database} title={words.unreadable} text={words.unreadableText} />
  return (
    <>
      <InUse shown={shown} />
      <LookUp />
    </>
  )
}

function InUse({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('registries')
  const formats = useFormats()
  const { version, importedAt, fetchedAt, registries } = shown
  const since = importedAt === null ? '' : `${words.version(version, formats.moment(importedAt))} `
  const fetched = fetchedAt === null ? words.notFetched : words.fetched(formats.ago(fetchedAt))
  return (
    <Section title={words.inUse} lead={version === '' ? words.noneText : `${since}${fetched}`}>
      {registries.length === 0 && <Row title={words.none} note="ringproof registry fetch" />}
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

function Kept({ shown: { version, previousVersion } }: { readonly shown: Shown }) {
  const words = useScreenWords('registries')
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useChange('roll-back-registries', ['registries', 'examination', 'setup'])
  if (previousVersion === null) return <Row title={words.kept} note={words.keptNone} />
  const roll = () =>
    mutate(
      { version },
      {
        onSuccess: () => {
          setAsking(false)
          showNotice({ text: words.isBack })
        },
      },
    )
  return (
    <Row title={words.kept} note={previousVersion === '' ? words.keptNothing : previousVersion}>
      <AdminButton isSmall onClick={() => setAsking(true)}>
        {words.back}
      </AdminButton>
      {isAsking && (
        <Ask
          title={words.backTitle}
          lead={words.backText(previousVersion === '' ? words.empty : previousVersion)}
          action={words.back}
          isDangerous
          isBusy={isPending}
          error={error}
          onDo={roll}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  )
}
