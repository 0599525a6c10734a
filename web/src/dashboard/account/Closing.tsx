// The account's data, and its end.

import { useState } from 'react'
import { useIsOwner } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Row, Section } from '../../parts/text/Page.tsx'
import type { Me } from '../../queries.ts'
import { useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'

type Account = NonNullable<Me['account']>

export function Closing({ account }: { readonly account: Account }) {
  const words = useScreenWords('account')
  const formats = useFormats()
  const [isAsking, setAsking] = useState(false)
  if (!useIsOwner()) return null
  const { closedAt } = account
  return (
    <Section title={words.data} lead={words.dataLead}>
      <Row title={words.export} note={words.exportNote}>
        <a className={buttonClass('plain', { isSmall: true })} href="/web/account.json" download>
          {words.exportAct}
        </a>
      </Row>
      <Row
        title={words.closing}
        note={closedAt === null ? words.closingNote : words.closedSince(formats.fullDay(closedAt))}
      >
        {closedAt === null && (
          <Button isSmall look="danger" onClick={() => setAsking(true)}>
            {words.closeAct}
          </Button>
        )}
      </Row>
      {isAsking && <CloseAccount account={account} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function CloseAccount({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const words = useScreenWords('account')
  const formats = useFormats()
  const [name, setName] = useState('')
  return (
    <AskChange
      change="close-account"
      refreshes={['me', 'services', 'balance']}
      input={{ name }}
      notice={words.closedNow}
      title={words.closeTitle(account.name)}
      lead={words.closeText(useSells() ? formats.money(account.balance) : undefined)}
      action={words.closeAct}
      isDangerous
      isReady={name.trim() === account.name}
      onClose={onClose}
    >
      <Field label={words.typeName(account.name)} value={name} onChange={(event) => setName(event.target.value)} />
    </AskChange>
  )
}
