import { insertPasskey, listPasskeys } from '../db/second-factor.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { User } from '../db/user.ts'
import { deleteWebSessions } from '../db/web-session.ts'
import { type CheckedPasskey, passkeysMax } from '../domain/people/passkey.ts'
import { Denial } from '../errors.ts'
import type { Visitor } from './find-visitor.ts'

type Deps = { readonly slots: SlotMap }

// What the edge has checked; undefined: it was wrong. Other sessions end: they were opened without this factor.
export async function addPasskey(
  { slots }: Deps,
  { user, session }: Visitor,
  name: string,
  checked: CheckedPasskey | undefined,
): Promise<void> {
  if (!checked) throw new Denial('wrong-code')
  if ((await listPasskeys(slots.globalDatabase, user.id)).length >= passkeysMax) throw new Denial('too-many')
  if (!(await insertPasskey(slots.globalDatabase, { ...checked, name, userId: user.id }))) throw new Denial('taken')
  await deleteWebSessions(slots.globalDatabase, user.id, session.digest)
}

export async function passkeysOf({ slots }: Deps, user: User) {
  return listPasskeys(slots.globalDatabase, user.id)
}
