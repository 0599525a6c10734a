import { noticeKinds } from '@ringproof/contract/lists/people.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPurpose } from '../../db/installation/installation.ts'
import {
  deleteMute,
  deleteReceiver,
  insertMute,
  muteReceiver,
  putReceiver,
  readMutes,
  readReceiver,
} from '../../db/notices/notice.ts'
import type { User } from '../../db/people/user.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { isForWebhook, type NoticeChannel, noticeBody, readersOf } from '../../domain/notices/notice.ts'
import { parseCallbackUrl } from '../../domain/webhooks/web-address.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from '../people/visitor.ts'
import type { SendWebhook } from '../webhooks/webhooks.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly webhookAllow: readonly string[]
  readonly hasTelegram: boolean
  readonly nowSeconds: () => number
  readonly sendWebhook: SendWebhook
  readonly testNotices: TestNotices
}

// For the visitor. The webhook belongs to the account, so only those who build with it change what it gets.
export async function setNotice(
  { slots: { globalDatabase } }: Pick<Deps, 'slots'>,
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

// Replaces the account's receiver of notices, or removes it if the URL is empty. Returns the new secret, which is not shown again.
export async function setNoticeWebhook(
  { slots, recordKeys, randomBytes, webhookAllow }: Pick<Deps, 'slots' | 'recordKeys' | 'randomBytes' | 'webhookAllow'>,
  actor: Actor,
  accountId: AccountId,
  url: string,
): Promise<string> {
  if (url === '') {
    await inTransaction(slots.globalDatabase, async (session) => {
      await deleteReceiver(session, accountId)
      await logAction(session, actor, { accountId, action: 'notice webhook removed', details: {} })
    })
    return ''
  }
  const parsed = parseCallbackUrl(url, webhookAllow)
  if (!parsed) throw new Denial('invalid', ['url'])
  const secret = makeWebhookSecret(randomBytes(webhookSecretRandomBytes))
  const receiver = {
    urlSealed: seal(recordKeys, 'notice-url', accountId, url, randomBytes(nonceBytes)),
    secretSealed: seal(recordKeys, 'notice-secret', accountId, secret, randomBytes(nonceBytes)),
  }
  await inTransaction(slots.globalDatabase, async (session) => {
    await putReceiver(session, accountId, receiver)
    await logAction(session, actor, { accountId, action: 'notice webhook set', details: { host: parsed.host } })
  })
  return secret
}

// What the visitor gets, and the receiver of the account that is shown.
export async function showNotices(
  { slots, recordKeys, hasTelegram }: Pick<Deps, 'slots' | 'recordKeys' | 'hasTelegram'>,
  { user, membership }: Visitor,
): Promise<WebOutput<'notices'>> {
  if (!membership) throw new Denial('forbidden')
  const { accountId, role } = membership
  const [mutes, receiver, purpose] = await Promise.all([
    readMutes(slots.globalDatabase, user.id, accountId),
    readReceiver(slots.globalDatabase, accountId),
    readPurpose(slots.globalDatabase),
  ])
  const kinds = noticeKinds.filter((kind) => purpose === 'provider' || kind !== 'low-balance')
  const isOn = (kind: string, channel: string) => !mutes.some((mute) => mute.kind === kind && mute.channel === channel)
  const host = receiver ? new URL(unseal(recordKeys, 'notice-url', accountId, receiver.urlSealed)).host : ''
  return {
    email: user.email,
    telegram: { isAvailable: hasTelegram, isOn: user.telegramSince !== null, name: user.telegramName },
    webhook: { isOn: receiver !== undefined, host },
    kinds: kinds.map((kind) => ({
      kind,
      readers: [...readersOf[kind]],
      isForRole: readersOf[kind].includes(role),
      email: isOn(kind, 'email'),
      telegram: isOn(kind, 'telegram'),
      webhook: isForWebhook(kind) && receiver?.muted.includes(kind) === false,
    })),
  }
}

// Both reject if the message was not accepted.
export type TestNotices = {
  readonly email: (user: User) => Promise<void>
  // Undefined without a bot.
  readonly telegram: ((user: User, telegramId: number) => Promise<void>) | undefined
}

// Sends a message to the person who asks, or to the account's receiver, at once. Refused if it was not accepted.
export async function testNotice(
  deps: Pick<Deps, 'slots' | 'recordKeys' | 'nowSeconds' | 'sendWebhook' | 'testNotices'>,
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

async function testReceiver(
  {
    slots,
    recordKeys,
    nowSeconds,
    sendWebhook,
  }: Pick<Deps, 'slots' | 'recordKeys' | 'nowSeconds' | 'sendWebhook' | 'testNotices'>,
  accountId: AccountId,
): Promise<void> {
  const receiver = await readReceiver(slots.globalDatabase, accountId)
  if (!receiver) throw new Denial('invalid', ['channel'])
  const url = unseal(recordKeys, 'notice-url', accountId, receiver.urlSealed)
  const secrets = [unseal(recordKeys, 'notice-secret', accountId, receiver.secretSealed)]
  const signed = { secrets, id: 'notice-test', at: new Date(nowSeconds() * 1_000) }
  const { status = 0 } = await sendWebhook(url, signed, noticeBody({ accountId, kind: 'test', details: {} }))
  if (status < 200 || status > 299) throw new Denial('unavailable')
}
