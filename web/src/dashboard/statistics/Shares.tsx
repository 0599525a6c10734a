import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Row, Section } from '../../parts/Page.tsx'
import { useChange, useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { useRangeText } from './ComparePeriods.tsx'

type Shown = WebOutput<'statistics-shares'>['shares'][number]

// Nothing while there are none.
export function Shares() {
  const words = useScreenWords('statistics')
  const { data } = useRead('statistics-shares')
  if (data === undefined || data.shares.length === 0) return null
  return (
    <Section title={words.shares} lead={words.sharesLead}>
      {data.shares.map((share) => (
        <OneShare key={share.id} share={share} />
      ))}
    </Section>
  )
}

function OneShare({ share }: { readonly share: Shown }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  const rangeText = useRangeText()
  const isBuilder = useIsBuilder()
  const [isAsking, setAsking] = useState(false)
  const { name, createdBy, createdAt, validUntil, hasMoney } = share
  const note = [
    rangeText(share),
    ...(hasMoney ? [words.withMoney] : []),
    words.shareUntil(formats.fullDay(validUntil)),
    words.shareMade(createdBy || '–', formats.day(createdAt)),
  ].join(' · ')
  return (
    <Row title={name} note={note}>
      {isBuilder && (
        <Button isSmall look="danger" onClick={() => setAsking(true)}>
          {words.revoke}
        </Button>
      )}
      {isAsking && <Revoke share={share} onClose={() => setAsking(false)} />}
    </Row>
  )
}

function Revoke({ share: { id, name }, onClose }: { readonly share: Shown; readonly onClose: () => void }) {
  const words = useScreenWords('statistics')
  const { mutate, isPending, error } = useChange('revoke-statistics-share', ['statistics-shares'])
  const done = () => {
    onClose()
    showNotice({ text: words.revoked })
  }
  return (
    <Ask
      title={words.revokeTitle(name)}
      lead={words.revokeLead}
      action={words.revoke}
      isDangerous
      isBusy={isPending}
      error={error}
      onDo={() => mutate({ id }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}
