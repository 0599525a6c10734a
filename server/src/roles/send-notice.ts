// How a keeper sends notices. Each channel is loaded with its first message: most keepers never send one.

import type { SlotMap } from '../db/core/slot-map.ts'
import { readInstallation } from '../db/installation/installation.ts'
import type { NoticeMessage } from '../db/notices/notice.ts'
import { unseal } from '../domain/crypto/sealing.ts'
import { noticeBody } from '../domain/notices/notice.ts'
import type { NoticeDeps } from '../engine/notices/notices.ts'
import { createResolver } from '../webhooks/resolve.ts'
import { noticeLinks } from './notice-links.ts'
import type { Closing, ServerDeps } from './server-deps.ts'
import { createLazyDelivery } from './webhooks.ts'

export function createSendNotice(deps: ServerDeps, slots: SlotMap): Closing & { readonly send: NoticeDeps['send'] } {
  const sendMail = createSendMail(deps, slots)
  const sendTelegram = createSendTelegram(deps)
  const { send: sendWebhook, close } = createSendWebhook(deps)
  const senders = { email: sendMail, telegram: sendTelegram, webhook: sendWebhook }
  return { send: (message) => senders[message.channel](message), close }
}

function createSendMail({ config, clock, log }: ServerDeps, slots: SlotMap): NoticeDeps['send'] {
  const { mailUrl: url, mailFrom: from, mailDir: dir, publicUrl, currency } = config
  const load = async () => (await import('../mail/mailer.ts')).createMailer({ url, from, dir }, clock, log)
  let mailer: ReturnType<typeof load> | undefined
  return async (message) => {
    const { noticeMail } = await import('../mail/notices.ts')
    mailer ??= load()
    const sender = await readInstallation(slots.globalDatabase)
    await (await mailer).sendNow(
      noticeMail(sender, message, noticeLinks(publicUrl, message.kind), { ...message, currency }),
    )
    return true
  }
}

function createSendTelegram({ config }: ServerDeps): NoticeDeps['send'] {
  const { telegramToken: token, telegramApi: api, publicUrl, currency } = config
  if (token === undefined) return async () => false
  const load = async () => (await import('../mail/telegram.ts')).createTelegramSender({ token, api })
  let telegram: ReturnType<typeof load> | undefined
  return async (message) => {
    if (message.telegramId === null) return false
    const { noticeText } = await import('../mail/notices.ts')
    telegram ??= load()
    const send = await telegram
    const links = noticeLinks(publicUrl, message.kind)
    await send(message.telegramId, noticeText(message.language, links, { ...message, currency }))
    return true
  }
}

// The way of webhooks, with the same checks of the address.
function createSendWebhook({ config, keys, clock }: ServerDeps): Closing & { readonly send: NoticeDeps['send'] } {
  const { timeScale, webhookAllow } = config
  const resolve = createResolver({ clock, timeScale })
  const { deliver, close } = createLazyDelivery({ webhookAllow, resolve, clock, timeScale })
  const send = async (message: NoticeMessage) => {
    const { id, accountId, urlSealed, secretSealed, now } = message
    if (urlSealed === null || secretSealed === null) return false
    const { signedHeaders } = await import('../webhooks/sign.ts')
    const url = unseal(keys.sealRecords, 'notice-url', accountId, urlSealed)
    const secret = unseal(keys.sealRecords, 'notice-secret', accountId, secretSealed)
    const body = noticeBody(message)
    const { status = 0, failure } = await deliver(url, signedHeaders([secret], `notice-${id}`, now, body), body)
    if (status < 200 || status > 299) throw new Error(`the receiver did not accept it: ${failure ?? status}`)
    return true
  }
  return { send, close }
}
