import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertPasskey, listPasskeys } from '../../db/people/second-factor.ts'
import type { User } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import { type CheckedPasskey, passkeysMax } from '../../domain/people/passkey.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'

type Deps = { readonly slots: SlotMap }

// What the edge has checked; undefined: it was wrong. Other sessions end: they were opened without this factor.
export async function addPasskey(
  { slots }: Deps,
  actor: Actor,
  visitor: Visitor,
  name: string,
  checked: CheckedPasskey | undefined,
): Promise<void> {
  if (!checked) throw new Denial('wrong-code')
  const { user } = visitor
  await inTransaction(slots.globalDatabase, async (session) => {
    if ((await listPasskeys(session, user.id)).length >= passkeysMax) throw new Denial('too-many')
    if (!(await insertPasskey(session, { ...checked, name, userId: user.id }))) throw new Denial('taken')
    await deleteWebSessions(session, user.id, visitor.session.digest)
    await noteSecurityChange(session, actor, visitor, 'second factor added', { factor: 'passkey' })
  })
}

export async function passkeysOf({ slots }: Deps, user: User) {
  return listPasskeys(slots.globalDatabase, user.id)
}
