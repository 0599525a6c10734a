import type { Actor } from '../db/action-log.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { logByPerson } from './create-session.ts'
import type { Visitor } from './find-visitor.ts'

// In the log of the account that the person is looking at; an operator without an account has an entry of the installation.
export async function noteSecurityChange(
  { slots }: { readonly slots: SlotMap },
  actor: Actor,
  { user, membership }: Visitor,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await logByPerson(slots, actor, user, { accountId: membership?.accountId ?? null, action, details })
}
