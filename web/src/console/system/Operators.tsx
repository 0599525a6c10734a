import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { InviteDialog } from '../../parts/InviteDialog.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Row, Section } from '../../parts/Page.tsx'
import { Mistake } from '../../parts/State.tsx'
import { useChange, useMe } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import css from './system.module.css'

type Operator = WebOutput<'operators'>['operators'][number]
type Role = Operator['role']

const roles = ['admin', 'support', 'viewer'] as const

export function Operators({ operators }: { readonly operators: readonly Operator[] }) {
  const words = useScreenWords('system')
  const { state } = useWords()
  const isAdmin = useIsAdmin()
  const [isInviting, setInviting] = useState(false)
  return (
    <Section
      title={words.operators}
      lead={words.operatorsLead}
      action={
        <Button
          isSmall
          look="ink"
          disabled={!isAdmin}
          title={isAdmin ? undefined : state.onlyAdmins}
          onClick={() => setInviting(true)}
        >
          {words.invite}
        </Button>
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
  const shell = useWords()
  const formats = useFormats()
  const isAdmin = useIsAdmin()
  const { user } = useMe()
  const set = useChange('set-operator', ['operators'])
  const [isRemoving, setRemoving] = useState(false)
  const isSelf = operator.email === user?.email
  const name = operator.name === '' ? operator.email : operator.name
  const note = [
    ...(operator.name === '' ? [] : [operator.email]),
    operator.seenAt === null ? words.neverSeen : words.seen(formats.ago(operator.seenAt)),
    operator.hasFactor ? words.hasFactor : words.noFactor,
  ]
  const setRole = (role: Role) =>
    set.mutate(
      { userId: operator.userId, role },
      { onSuccess: () => showNotice({ text: words.roleChanged(name, shell.operatorRoles[role]) }) },
    )
  return (
    <Row title={isSelf ? `${name} (${words.you})` : name} note={note.join(', ')}>
      <Mistake error={isRemoving ? undefined : set.error} />
      <select
        className={css.role}
        aria-label={words.roleOf(name)}
        value={operator.role}
        disabled={!isAdmin || isSelf}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {shell.operatorRoles[role]}
          </option>
        ))}
      </select>
      {isAdmin && !isSelf && (
        <Button isSmall look="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      )}
      {isRemoving && (
        <Ask
          title={words.removeTitle(name)}
          lead={words.removeText(name)}
          action={words.remove}
          isDangerous
          isBusy={set.isPending}
          error={set.error}
          onDo={() => set.mutate({ userId: operator.userId, role: null }, { onSuccess: () => setRemoving(false) })}
          onClose={() => setRemoving(false)}
        />
      )}
    </Row>
  )
}

function InviteOperator({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('system')
  const shell = useWords()
  const { language } = useLanguage()
  const { mutate, isPending, error } = useChange('invite-operator', ['operators'])
  const invite = (email: string, role: Role) =>
    mutate(
      { email, role, language },
      {
        onSuccess: () => {
          onClose()
          showNotice({ text: words.invited(email) })
        },
      },
    )
  return (
    <InviteDialog
      words={words}
      roles={roles.map((value) => ({ value, title: shell.operatorRoles[value], text: words.roleTexts[value] }))}
      firstRole="support"
      isBusy={isPending}
      error={error}
      onInvite={invite}
      onClose={onClose}
    />
  )
}
