import { noticeKinds } from '@ringproof/contract/lists/people.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readMutes, readReceiver } from '../../db/notices/notice.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { isForWebhook, readersOf } from '../../domain/notices/notice.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from '../people/find-visitor.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly hasTelegram: boolean }

// What the visitor gets, and the receiver of the account that is shown.
export async function showNotices(
  { slots, recordKeys, hasTelegram }: Deps,
  { user, membership }: Visitor,
): Promise<WebOutput<'notices'>> {
  if (!membership) throw new Denial('forbidden')
  const { accountId, role } = membership
  const [mutes, receiver] = await Promise.all([
    readMutes(slots.globalDatabase, user.id, accountId),
    readReceiver(slots.globalDatabase, accountId),
  ])
  const isOn = (kind: string, channel: string) => !mutes.some((mute) => mute.kind === kind && mute.channel === channel)
  const host = receiver ? new URL(unseal(recordKeys, 'notice-url', accountId, receiver.urlSealed)).host : ''
  return {
    email: user.email,
    telegram: { isAvailable: hasTelegram, isOn: user.telegramSince !== null, name: user.telegramName },
    webhook: { isOn: receiver !== undefined, host },
    kinds: noticeKinds.map((kind) => ({
      kind,
      readers: [...readersOf[kind]],
      isForRole: readersOf[kind].includes(role),
      email: isOn(kind, 'email'),
      telegram: isOn(kind, 'telegram'),
      webhook: isForWebhook(kind) && receiver?.muted.includes(kind) === false,
    })),
  }
}
