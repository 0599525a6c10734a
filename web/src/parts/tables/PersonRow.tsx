// A person with a role: a member of an account, or an operator. Nobody changes or removes their own role.

import { type ReactNode, useState } from 'react'
import { useMe } from '../../queries.ts'
import { Button } from '../forms/Button.tsx'
import { Options } from '../forms/Form.tsx'
import { Row } from '../text/Page.tsx'
import { Mistake } from '../text/State.tsx'
import css from './person-row.module.css'

type Person<Role extends string> = {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly hasFactor: boolean
}

type PersonRowProps<Role extends string> = {
  readonly person: Person<Role>
  // Since when, or seen when.
  readonly when: string
  readonly roles: readonly Role[]
  readonly roleNames: Readonly<Record<Role, string>>
  readonly words: Readonly<Record<'you' | 'hasFactor' | 'noFactor' | 'remove', string>> & {
    readonly roleOf: (name: string) => string
  }
  readonly mayChange: boolean
  readonly error: unknown
  readonly onRole: (role: Role) => void
  // The question before the removal.
  readonly removal: (onClose: () => void) => ReactNode
}

export function PersonRow<Role extends string>({
  person,
  when,
  roles,
  roleNames,
  words,
  mayChange,
  error,
  onRole,
  removal,
}: PersonRowProps<Role>) {
  const { user } = useMe()
  const [isRemoving, setRemoving] = useState(false)
  const isSelf = person.email === user?.email
  const name = displayName(person)
  const email = person.name === '' ? [] : [person.email]
  const note = [...email, when, person.hasFactor ? words.hasFactor : words.noFactor]
  return (
    <Row title={isSelf ? `${name} (${words.you})` : name} note={note.join(', ')}>
      <Mistake error={isRemoving ? undefined : error} />
      <select
        className={css.role}
        aria-label={words.roleOf(name)}
        value={person.role}
        disabled={!mayChange || isSelf}
        onChange={(event) => onRole(event.target.value as Role)}
      >
        <Options of={roles.map((role) => ({ value: role, text: roleNames[role] }))} />
      </select>
      {mayChange && !isSelf && (
        <Button isSmall look="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      )}
      {isRemoving && removal(() => setRemoving(false))}
    </Row>
  )
}

export function displayName({ name, email }: Pick<Person<string>, 'name' | 'email'>): string {
  return name === '' ? email : name
}
