import { useState } from 'react'
import { Ask } from './Ask.tsx'
import { Cards, Field } from './Form.tsx'

type InviteWords = {
  readonly inviteTitle: string
  readonly inviteLead: string
  readonly invite: string
  readonly email: string
  readonly role: string
}

// Invites somebody by e-mail, with a role.
export function InviteDialog<Role extends string>({
  words,
  roles,
  firstRole,
  isBusy,
  error,
  onInvite,
  onClose,
}: {
  readonly words: InviteWords
  readonly roles: readonly { readonly value: Role; readonly title: string; readonly text: string }[]
  readonly firstRole: Role
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onInvite: (email: string, role: Role) => void
  readonly onClose: () => void
}) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState(firstRole)
  return (
    <Ask
      title={words.inviteTitle}
      lead={words.inviteLead}
      action={words.invite}
      isReady={email.includes('@')}
      isBusy={isBusy}
      error={error}
      onDo={() => onInvite(email.trim(), role)}
      onClose={onClose}
    >
      <Field
        label={words.email}
        type="email"
        isFirst
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Cards label={words.role} value={role} onChange={setRole} of={roles} />
    </Ask>
  )
}
