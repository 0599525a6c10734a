// Sends a signed example of a webhook to an address of the customer's choice, and reports what came back. It is signed with the
// secrets of the service, so the receiver can check it; its number is a test number, and nothing is stored.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readSigningSecrets } from '../../db/webhooks/webhook-list.ts'
import { type ServiceId, slotOfService, type VerificationId } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { succeedingNumber } from '../../domain/numbers/test-number.ts'
import { parseCallbackUrl } from '../../domain/webhooks/web-address.ts'
import { exampleBody, redactResponse } from '../../domain/webhooks/webhook.ts'
import { Denial } from '../../process/errors.ts'

export type SendWebhook = (
  url: string,
  signed: { readonly secrets: readonly string[]; readonly id: string; readonly at: Date },
  body: string,
) => Promise<{
  readonly status: number | undefined
  readonly failure: string | undefined
  readonly durationMs: number
  readonly response: Buffer
}>

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
  readonly webhookAllow: readonly string[]
  readonly sendWebhook: SendWebhook
}

// No verification has it.
const exampleId = 1 as VerificationId

export async function sendExampleWebhook(
  { slots, recordKeys, nowSeconds, webhookAllow, sendWebhook }: Deps,
  serviceId: ServiceId,
  url: string,
): Promise<WebOutput<'send-example-webhook'>> {
  if (!parseCallbackUrl(url, webhookAllow)) throw new Denial('invalid', ['url'])
  const secret = (await readSigningSecrets(slots.databaseOf(slotOfService(serviceId)), [serviceId])).get(serviceId)
  if (!secret) throw new Denial('not-found')
  const secrets = [secret.sealed, secret.beforeSealed]
    .filter((sealed) => sealed !== null)
    .map((sealed) => unseal(recordKeys, 'webhook-secret', serviceId, sealed))
  const body = exampleBody(exampleId, url, succeedingNumber)
  const at = new Date(nowSeconds() * 1_000)
  const { status, failure, durationMs, response } = await sendWebhook(url, { secrets, id: 'example', at }, body)
  return {
    attempt: {
      endedAt: at.getTime() + durationMs,
      ms: durationMs,
      status: status ?? null,
      failure: failure ?? '',
      response: redactResponse(response),
    },
    body,
  }
}
