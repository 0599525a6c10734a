import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteMute, insertMute, muteReceiver } from '../../db/notices/notice.ts'
import { isForWebhook } from '../../domain/notices/notice.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from '../people/find-visitor.ts'

// For the visitor. The webhook belongs to the account, so only those who build with it change what it gets.
export async function setNotice(
  { slots: { globalDatabase } }: { readonly slots: SlotMap },
  { user, membership, rights }: Visitor,
  { kind, channel, isOn }: WebInput<'set-notice'>,
): Promise<void> {
  if (!membership) throw new Denial('forbidden')
  const { accountId } = membership
  if (channel !== 'webhook') {
    const set = isOn ? deleteMute : insertMute
    await set(globalDatabase, user.id, accountId, { kind, channel })
    return
  }
  if (!rights.includes('build')) throw new Denial('forbidden')
  if (!isForWebhook(kind)) throw new Denial('invalid', ['kind'])
  await muteReceiver(globalDatabase, accountId, kind, !isOn)
}
