import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsOwner } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { InviteDialog } from '../../parts/InviteDialog.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Row, Section } from '../../parts/Page.tsx'
import { Loaded, Mistake } from '../../parts/State.tsx'
import { useChange, useMe, useRead } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { AccountHead } from './AccountHead.tsx'
import css from './account.module.css'

type MembersData = WebOutput<'members'>
type Member = MembersData['members'][number]
type Role = Member['role']

const roles = ['owner', 'developer', 'accountant', 'viewer'] as const

export function Members() {
  const words = useScreenWords('account')
  const { state } = useWords()
  const isOwner = useIsOwner()
  const [isInviting, setInviting] = useState(false)
  const invite = (
    <Button
      isSmall
      look="ink"
      disabled={!isOwner}
      title={isOwner ? undefined : state.onlyOwners}
      onClick={() => setInviting(true)}
    >
      {words.invite}
    </Button>
  )
  return (
    <>
      <AccountHead />
      <Loaded query={useRead('members')}>
        {({ members, invitations }) => (
          <>
            <Section title={words.members} lead={words.membersLead} action={invite}>
              {members.map((member) => (
                <MemberRow key={member.userId} member={member} />
              ))}
            </Section>
            {invitations.length > 0 && <Invitations invitations={invitations} />}
          </>
        )}
      </Loaded>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  )
}

function MemberRow({ member }: { readonly member: Member }) {
  const words = useScreenWords('account')
  const shell = useWords()
  const formats = useFormats()
  const isOwner = useIsOwner()
  const { user } = useMe()
  const set = useChange('set-member', ['members'])
  const [isRemoving, setRemoving] = useState(false)
  const isSelf = member.email === user?.email
  const name = member.name === '' ? member.email : member.name
  const note = [
    ...(member.name === '' ? [] : [member.email]),
    words.since(formats.day(member.since)),
    member.hasFactor ? words.hasFactor : words.noFactor,
  ]
  const setRole = (role: Role) =>
    set.mutate(
      { userId: member.userId, role },
      { onSuccess: () => showNotice({ text: words.roleChanged(name, shell.roles[role]) }) },
    )
  return (
    <Row title={isSelf ? `${name} (${words.you})` : name} note={note.join(', ')}>
      <Mistake error={set.error} />
      <select
        className={css.role}
        aria-label={words.roleOf(name)}
        value={member.role}
        disabled={!isOwner || isSelf}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {shell.roles[role]}
          </option>
        ))}
      </select>
      {isOwner && !isSelf && (
        <Button isSmall look="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      )}
      {isRemoving && <RemoveMember userId={member.userId} name={name} onClose={() => setRemoving(false)} />}
    </Row>
  )
}

function RemoveMember({
  userId,
  name,
  onClose,
}: {
  readonly userId: number
  readonly name: string
  readonly onClose: () => void
}) {
  const words = useScreenWords('account')
  const { mutate, isPending, error } = useChange('remove-member', ['members'])
  return (
    <Ask
      title={words.removeMemberTitle(name)}
      lead={words.removeMemberText(name)}
      action={words.remove}
      isDangerous
      isBusy={isPending}
      error={error}
      onDo={() => mutate({ userId }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function Invitations({ invitations }: { readonly invitations: MembersData['invitations'] }) {
  const words = useScreenWords('account')
  const shell = useWords()
  const formats = useFormats()
  const isOwner = useIsOwner()
  const { mutate, isPending } = useChange('withdraw-invitation', ['members'])
  return (
    <Section title={words.invitations}>
      {invitations.map(({ email, role, until }) => (
        <Row key={email} title={email} note={`${shell.roles[role]}, ${words.until(formats.dayClock(until))}`}>
          {isOwner && (
            <Button
              isSmall
              disabled={isPending}
              onClick={() => mutate({ email }, { onSuccess: () => showNotice({ text: words.withdrawn }) })}
            >
              {words.withdraw}
            </Button>
          )}
        </Row>
      ))}
    </Section>
  )
}

function Invite({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('account')
  const shell = useWords()
  const { language } = useLanguage()
  const { mutate, isPending, error } = useChange('invite-member', ['members'])
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
      roles={roles.map((value) => ({ value, title: shell.roles[value], text: words.roleTexts[value] }))}
      firstRole="developer"
      isBusy={isPending}
      error={error}
      onInvite={invite}
      onClose={onClose}
    />
  )
}
