import { type ReactNode, useState } from 'react'
import { useIsOwner } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { Field, Select } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Section } from '../../parts/text/Page.tsx'
import { Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useMe, useRead } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { AccountHead } from './AccountHead.tsx'
import css from './account.module.css'
import { Closing } from './Closing.tsx'
import { OwnPhone } from './OwnPhone.tsx'

export function Profile() {
  const { account } = useMe()
  return (
    <>
      <AccountHead />
      {account !== null && <AccountForm name={account.name} timeZone={account.timeZone} />}
      <Loaded query={useRead('security')}>{({ ownPhone }) => <OwnPhone ownPhone={ownPhone} />}</Loaded>
      <PersonForm />
      {account !== null && <Closing account={account} />}
    </>
  )
}

function AccountForm({ name, timeZone }: { readonly name: string; readonly timeZone: string }) {
  const words = useScreenWords('account')
  const isOwner = useIsOwner()
  const { mutate, isPending, error } = useChange('set-account', ['me'])
  const [newName, setNewName] = useState(name)
  const [newZone, setNewZone] = useState(timeZone)
  const save = () =>
    mutate({ name: newName.trim(), timeZone: newZone }, { onSuccess: () => showNotice({ text: words.saved }) })
  return (
    <Section title={words.account} lead={words.accountLead}>
      <CardForm
        isReady={isOwner && newName.trim() !== '' && (newName !== name || newZone !== timeZone) && !isPending}
        onSubmit={save}
      >
        <Field
          label={words.name}
          maxLength={100}
          disabled={!isOwner}
          value={newName}
          onChange={(event) => setNewName(event.target.value)}
        />
        <Select
          label={words.timeZone}
          disabled={!isOwner}
          value={newZone}
          onChange={setNewZone}
          of={[...new Set([timeZone, ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
            value: zone,
            text: zone,
          }))}
        />
        <Mistake error={error} />
      </CardForm>
    </Section>
  )
}

function PersonForm() {
  const words = useScreenWords('account')
  const { user } = useMe()
  const { mutate, isPending, error } = useChange('set-profile', ['me'])
  const [name, setName] = useState(user?.name ?? '')
  return (
    <Section title={words.person} lead={words.personLead}>
      <CardForm
        isReady={name !== user?.name && !isPending}
        onSubmit={() => mutate({ name: name.trim() }, { onSuccess: () => showNotice({ text: words.saved }) })}
      >
        <Field
          label={words.yourName}
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Mistake error={error} />
      </CardForm>
    </Section>
  )
}

function CardForm({
  isReady,
  onSubmit,
  children,
}: {
  readonly isReady: boolean
  readonly onSubmit: () => void
  readonly children: ReactNode
}) {
  const { save } = useWords()
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Button look="ink" type="submit" disabled={!isReady}>
        {save}
      </Button>
    </form>
  )
}
