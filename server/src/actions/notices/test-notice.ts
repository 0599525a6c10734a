import type { SlotMap } from '../../db/core/slot-map.ts'
import { readReceiver } from '../../db/notices/notice.ts'
import type { User } from '../../db/people/user.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { type NoticeChannel, noticeBody } from '../../domain/notices/notice.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from '../people/find-visitor.ts'
import type { SendWebhook } from '../webhooks/send-example-webhook.ts'

// Both reject if the message was not accepted.
export type TestNotices = {
  readonly email: (user: User) => Promise<void>
  // Undefined without a bot.
  readonly telegram: ((user: User, telegramId: number) => Promise<void>) | undefined
}

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
  readonly sendWebhook: SendWebhook
  readonly testNotices: TestNotices
}

// Sends a message to the person who asks, or to the account's receiver, at once. Refused if it was not accepted.
export async function testNotice(
  deps: Deps,
  { user, membership, rights }: Visitor,
  channel: NoticeChannel,
): Promise<void> {
  const { email, telegram } = deps.testNotices
  const send = {
    email: () => email(user),
    telegram: async () => {
      if (user.telegramSince === null || user.telegramId === null) throw new Denial('invalid', ['channel'])
      if (!telegram) throw new Denial('unavailable')
      await telegram(user, user.telegramId)
    },
    webhook: async () => {
      if (!membership || !rights.includes('build')) throw new Denial('forbidden')
      await testReceiver(deps, membership.accountId)
    },
  }
  await send[channel]().catch((error: unknown) => {
    throw error instanceof Denial ? error : new Denial('unavailable')
  })
}

async function testReceiver({ slots, recordKeys, nowSeconds, sendWebhook }: Deps, accountId: AccountId): Promise<void> {
  const receiver = await readReceiver(slots.globalDatabase, accountId)
  if (!receiver) throw new Denial('invalid', ['channel'])
  const url = unseal(recordKeys, 'notice-url', accountId, receiver.urlSealed)
  const secrets = [unseal(recordKeys, 'notice-secret', accountId, receiver.secretSealed)]
  const signed = { secrets, id: 'notice-test', at: new Date(nowSeconds() * 1_000) }
  const { status = 0 } = await sendWebhook(url, signed, noticeBody({ accountId, kind: 'test', details: {} }))
  if (status < 200 || status > 299) throw new Denial('unavailable')
}
