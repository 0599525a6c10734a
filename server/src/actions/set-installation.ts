import type { Actor } from '../db/action-log.ts'
import { type Installation, readInstallation, writeInstallation } from '../db/installation.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { User } from '../db/user.ts'
import { logByPerson } from './create-session.ts'

export async function setInstallation(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  by: Pick<User, 'email'>,
  installation: Installation,
): Promise<void> {
  const before = await readInstallation(slots.globalDatabase)
  await writeInstallation(slots.globalDatabase, installation)
  await logByPerson(slots, actor, by, {
    accountId: null,
    action: 'installation settings changed',
    details: { before, after: installation },
  })
}
