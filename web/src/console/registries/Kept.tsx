import { useState } from 'react'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Row } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import { ReverseChanges } from './Changes.tsx'
import type { Shown } from './shown.ts'

export function Kept({ shown: { version, previousVersion } }: { readonly shown: Shown }) {
  const words = useScreenWords('registries')
  const [isAsking, setAsking] = useState(false)
  if (previousVersion === null) return <Row title={words.kept} note={words.keptNone} />
  return (
    <Row title={words.kept} note={previousVersion === '' ? words.keptNothing : previousVersion}>
      <AdminButton isSmall onClick={() => setAsking(true)}>
        {words.back}
      </AdminButton>
      {isAsking && <AskBack version={version} previousVersion={previousVersion} onClose={() => setAsking(false)} />}
    </Row>
  )
}

function AskBack({
  version,
  previousVersion,
  onClose,
}: {
  readonly version: string
  readonly previousVersion: string
  readonly onClose: () => void
}) {
  const words = useScreenWords('registries')
  return (
    <AskChange
      change="roll-back-registries"
      refreshes={['registries', 'registry-diff', 'examination', 'setup']}
      input={{ version }}
      notice={words.isBack}
      title={words.backTitle}
      lead={words.backText(previousVersion === '' ? words.empty : previousVersion)}
      action={words.back}
      isDangerous
      onClose={onClose}
    >
      <ReverseChanges version={version} />
    </AskChange>
  )
}
