import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Installation, readInstallation, writeInstallation } from '../../db/installation/installation.ts'
import type { User } from '../../db/people/user.ts'
import { logByPerson } from '../people/create-session.ts'

export async function setInstallation(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  by: Pick<User, 'email'>,
  installation: Installation,
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    const before = await readInstallation(session)
    await writeInstallation(session, installation)
    const details = { before, after: installation }
    await logByPerson(session, actor, by, { accountId: null, action: 'installation settings changed', details })
  })
}
