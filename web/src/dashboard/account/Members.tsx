import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsOwner } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { Button } from '../../parts/Button.tsx'
import { InviteDialog } from '../../parts/InviteDialog.tsx'
import { showNotice } from '../../parts/notice.ts'
import { Row, Section } from '../../parts/Page.tsx'
import { displayName, PersonRow } from '../../parts/PersonRow.tsx'
import { Loaded } from '../../parts/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { AccountHead } from './AccountHead.tsx'

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
  const set = useChange('set-member', ['members'])
  const remove = useChange('remove-member', ['members'])
  const { userId, since } = member
  const name = displayName(member)
  return (
    <PersonRow
      person={member}
      when={words.since(formats.day(since))}
      roles={roles}
      roleNames={shell.roles}
      words={words}
      mayChange={useIsOwner()}
      error={set.error}
      onRole={(role) =>
        set.mutate(
          { userId, role },
          { onSuccess: () => showNotice({ text: words.roleChanged(name, shell.roles[role]) }) },
        )
      }
      removal={(onClose) => (
        <Ask
          title={words.removeMemberTitle(name)}
          lead={words.removeMemberText(name)}
          action={words.remove}
          isDangerous
          isBusy={remove.isPending}
          error={remove.error}
          onDo={() => remove.mutate({ userId }, { onSuccess: onClose })}
          onClose={onClose}
        />
      )}
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
