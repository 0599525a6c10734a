import type { WebInput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { AskChange, type AskChangeProps } from './AskChange.tsx'
import { Cards, Field } from './Form.tsx'

type Invitation = 'invite-member' | 'invite-operator'
type InviteWords = Readonly<Record<'inviteTitle' | 'inviteLead' | 'invite' | 'email' | 'role', string>> & {
  readonly invited: (email: string) => string
}

// Invites somebody by e-mail, with a role.
export function InviteDialog<Name extends Invitation, Role extends string>({
  words,
  roles,
  firstRole,
  input,
  ...ask
}: Pick<AskChangeProps<Name>, 'change' | 'refreshes' | 'onClose'> & {
  readonly words: InviteWords
  readonly roles: readonly { readonly value: Role; readonly title: string; readonly text: string }[]
  readonly firstRole: Role
  readonly input: (email: string, role: Role) => WebInput<Name>
}) {
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState(firstRole)
  const email = typed.trim()
  return (
    <AskChange<Name>
      {...ask}
      input={input(email, role)}
      notice={words.invited(email)}
      title={words.inviteTitle}
      lead={words.inviteLead}
      action={words.invite}
      isReady={email.includes('@')}
    >
      <Field label={words.email} type="email" isFirst value={typed} onChange={({ target }) => setTyped(target.value)} />
      <Cards label={words.role} value={role} onChange={setRole} of={roles} />
    </AskChange>
  )
}
