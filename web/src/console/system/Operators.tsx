import { operatorRoles } from '@ringproof/contract/web/access.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { InviteDialog } from '../../parts/forms/InviteDialog.tsx'
import { displayName, PersonRow } from '../../parts/tables/PersonRow.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Section } from '../../parts/text/Page.tsx'
import { useChange } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'

type Operator = WebOutput<'operators'>['operators'][number]

export function Operators({ operators }: { readonly operators: readonly Operator[] }) {
  const words = useScreenWords('system')
  const [isInviting, setInviting] = useState(false)
  return (
    <Section
      title={words.operators}
      lead={words.operatorsLead}
      action={
        <AdminButton isSmall look="ink" onClick={() => setInviting(true)}>
          {words.invite}
        </AdminButton>
      }
    >
      {operators.map((operator) => (
        <OperatorRow key={operator.userId} operator={operator} />
      ))}
      {isInviting && <InviteOperator onClose={() => setInviting(false)} />}
    </Section>
  )
}

function OperatorRow({ operator }: { readonly operator: Operator }) {
  const words = useScreenWords('system')
  const { operatorRoles: roleNames } = useWords()
  const formats = useFormats()
  const set = useChange('set-operator', ['operators'])
  const { userId, seenAt } = operator
  const name = displayName(operator)
  return (
    <PersonRow
      person={operator}
      when={seenAt === null ? words.neverSeen : words.seen(formats.ago(seenAt))}
      roles={operatorRoles}
      roleNames={roleNames}
      words={words}
      mayChange={useIsAdmin()}
      error={set.error}
      onRole={(role) =>
        set.mutate(
          { userId, role },
          { onSuccess: () => showNotice({ text: words.roleChanged(name, roleNames[role]) }) },
        )
      }
      removal={(onClose) => (
        <AskChange
          change="set-operator"
          refreshes={['operators']}
          input={{ userId, role: null }}
          title={words.removeTitle(name)}
          lead={words.removeText(name)}
          action={words.remove}
          isDangerous
          onClose={onClose}
        />
      )}
    />
  )
}

function InviteOperator({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('system')
  const shell = useWords()
  const { language } = useLanguage()
  return (
    <InviteDialog
      change="invite-operator"
      refreshes={['operators']}
      input={(email, role) => ({ email, role, language })}
      words={words}
      roles={operatorRoles.map((value) => ({ value, title: shell.operatorRoles[value], text: words.roleTexts[value] }))}
      firstRole="support"
      onClose={onClose}
    />
  )
}
