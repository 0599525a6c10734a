// Webhooks for people without a public address: `npx @ringproof/client listen` holds a stream open at some API process, and a
// webhook worker offers each webhook of that service to it over NATS. Nothing is stored. The offer has a phone number in it, so
// it is sealed. What the stream gets to name its result is the sealed inbox of the offer: any API process can pass the result
// on, and a client can name no inbox but those it was given.

import { errors } from '@nats-io/transport-node'
import type { ServiceId } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { responseTimeoutSeconds } from '../../domain/webhooks/webhook.ts'
import type { Bus } from '../core/bus.ts'

export type OfferedWebhook = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

type ListenerResult = {
  // Null if the local program did not respond.
  readonly status: number | null
  readonly response: string
}

// Undefined if nobody listens.
export type OfferWebhook = (serviceId: ServiceId, webhook: OfferedWebhook) => Promise<ListenerResult | undefined>

type WebhookListeners = {
  readonly watch: (
    serviceId: ServiceId,
    onWebhook: (webhook: OfferedWebhook & { readonly delivery: string }) => void,
  ) => { readonly close: () => void }
  // False if the delivery is not one of this service.
  readonly reply: (serviceId: ServiceId, delivery: string, result: ListenerResult) => boolean
}

type Deps = {
  readonly bus: Pick<Bus, 'connection' | 'names' | 'isUp'>
  readonly keys: { readonly sealRecords: KeyRing }
  readonly randomBytes: (bytes: number) => Uint8Array
}

// A little longer than the listener waits for the local program.
const replyTimeoutMs = responseTimeoutSeconds * 1_000 + 1_000

export function createOfferWebhook({ bus, keys, randomBytes }: Deps): OfferWebhook {
  return async (serviceId, webhook) => {
    if (!bus.isUp()) return undefined
    const text = JSON.stringify(webhook)
    const sealed = seal(keys.sealRecords, 'listen', serviceId, text, randomBytes(nonceBytes))
    try {
      const subject = bus.names.listenSubjectOf(serviceId)
      const reply = await bus.connection.request(subject, sealed, { timeout: replyTimeoutMs })
      return reply.json<ListenerResult>()
    } catch (error) {
      if (error instanceof errors.TimeoutError) return { status: null, response: '' }
      return undefined
    }
  }
}

export function createWebhookListeners({ bus, keys, randomBytes }: Deps): WebhookListeners {
  return {
    watch: (serviceId, onWebhook) => {
      const subscription = bus.connection.subscribe(bus.names.listenSubjectOf(serviceId), {
        callback: (error, message) => {
          if (error || message.reply === undefined) return
          const text = unseal(keys.sealRecords, 'listen', serviceId, Buffer.from(message.data))
          const inbox = seal(keys.sealRecords, 'listen-reply', serviceId, message.reply, randomBytes(nonceBytes))
          onWebhook({ ...(JSON.parse(text) as OfferedWebhook), delivery: inbox.toString('base64url') })
        },
      })
      return { close: () => subscription.unsubscribe() }
    },
    reply: (serviceId, delivery, result) => {
      try {
        const inbox = unseal(keys.sealRecords, 'listen-reply', serviceId, Buffer.from(delivery, 'base64url'))
        bus.connection.publish(inbox, JSON.stringify(result))
        return true
      } catch {
        return false
      }
    },
  }
}
