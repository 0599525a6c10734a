import { type MemberRole, memberRights, memberRoles } from '@ringproof/contract/web/access.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsOwner } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { InviteDialog } from '../../parts/forms/InviteDialog.tsx'
import { displayName, PersonRow } from '../../parts/tables/PersonRow.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useChange, useRead, useSells } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { AccountHead } from './AccountHead.tsx'

type MembersData = WebOutput<'members'>
type Member = MembersData['members'][number]

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

// Without money nobody has to see to it alone.
function useRoles(): readonly MemberRole[] {
  const sells = useSells()
  return memberRoles.filter((role) => {
    const rights = memberRights(role)
    return sells || rights.includes('manage') || !rights.includes('pay')
  })
}

function MemberRow({ member }: { readonly member: Member }) {
  const words = useScreenWords('account')
  const shell = useWords()
  const formats = useFormats()
  const set = useChange('set-member', ['members'])
  const { userId, since } = member
  const name = displayName(member)
  return (
    <PersonRow
      person={member}
      when={words.since(formats.day(since))}
      roles={useRoles()}
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
        <AskChange
          change="remove-member"
          refreshes={['members']}
          input={{ userId }}
          title={words.removeMemberTitle(name)}
          lead={words.removeMemberText(name)}
          action={words.remove}
          isDangerous
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
  return (
    <InviteDialog
      change="invite-member"
      refreshes={['members']}
      input={(email, role) => ({ email, role, language })}
      words={words}
      roles={useRoles().map((value) => ({ value, title: shell.roles[value], text: words.roleTexts[value] }))}
      firstRole="developer"
      onClose={onClose}
    />
  )
}
