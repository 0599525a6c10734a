import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listServices, lockService, replaceWebhookSecret } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ListedWebhook, lockWebhook, listWebhooks as readWebhooks, sendAnew } from '../../db/webhooks/webhook.ts'
import type { WebhookFilter } from '../../db/webhooks/webhook-filter.ts'
import { hurryWebhook, readSigningSecrets, recoverWebhooks as recoverDead } from '../../db/webhooks/webhook-list.ts'
import {
  type AccountId,
  type ServiceId,
  slotOfAccount,
  slotOfService,
  slotOfVerification,
  type VerificationId,
} from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { succeedingNumber } from '../../domain/numbers/test-number.ts'
import { parseCallbackUrl } from '../../domain/webhooks/web-address.ts'
import {
  exampleBody,
  makeWebhookSecret,
  redactResponse,
  webhookSecretRandomBytes,
} from '../../domain/webhooks/webhook.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly nowSeconds: () => number
  readonly webhookAllow: readonly string[]
  readonly sendWebhook: SendWebhook
}

const listedMax = 100

// Newest first, all databases.
export async function listWebhooks(
  deps: Pick<Deps, 'slots'>,
  filter: WebhookFilter,
): Promise<readonly ListedWebhook[]> {
  const lists = await Promise.all(deps.slots.databases.map((database) => readWebhooks(database, filter, listedMax)))
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, listedMax)
}

// Makes a dead webhook due at once and restarts its retry schedule, as long as its number has not been erased. One that waits
// for its next attempt is sent at once if it may be hurried, and needs nothing if that attempt has delivered it.
export async function resendWebhook(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  id: VerificationId,
  mayHurry = false,
): Promise<void> {
  await inTransaction(deps.slots.databaseOf(slotOfVerification(id)), async (session) => {
    const webhook = await lockWebhook(session, id)
    if (!webhook)
      throw new UsageError(`Verification ${id} has no webhook. \`ringproof webhooks list\` shows the newest ones.`)
    if (webhook.state === 'due' && mayHurry) return hurryWebhook(session, id)
    // The next attempt may come before the button is pressed.
    if (webhook.state === 'delivered' && mayHurry) return
    if (webhook.state === 'due') throw new UsageError(`The webhook of verification ${id} is already due.`)
    if (webhook.state === 'delivered') {
      throw new UsageError(`The webhook of verification ${id} was delivered, and its number has been erased.`)
    }
    if (!webhook.isNumberThere) {
      throw new UsageError(
        `The number of verification ${id} has been erased. A webhook can be resent for 30 minutes after its call.`,
      )
    }
    await sendAnew(session, id)
    const { accountId } = await lockService(session, webhook.serviceId)
    await logAction(session, actor, { accountId, action: 'webhook sent again', details: { verification: id } })
  })
}

type Command = { readonly accountId: AccountId; readonly sinceSecond: number; readonly isTest: boolean }

// One statement; who has more presses again.
const recoveredMax = 1_000

// Sends every failed webhook of an account again whose call came in since then. Returns how many.
export async function recoverWebhooks(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  { accountId, sinceSecond, isTest }: Command,
): Promise<number> {
  return inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const serviceIds = (await listServices(session, accountId)).map(({ id }) => id)
    const { length: count } = await recoverDead(session, serviceIds, { sinceSecond, isTest, limit: recoveredMax })
    if (count > 0) await logAction(session, actor, { accountId, action: 'webhooks recovered', details: { count } })
    return count
  })
}

type RotateWebhookSecretCommand = { readonly serviceId: ServiceId; readonly overlapSeconds: number }

// Returns the new secret, which is never shown again. Until the overlap ends webhooks are signed with both.
export async function rotateWebhookSecret(
  deps: Pick<Deps, 'slots' | 'recordKeys' | 'randomBytes'>,
  actor: Actor,
  command: RotateWebhookSecretCommand,
): Promise<string> {
  const { serviceId, overlapSeconds } = command
  const secret = makeWebhookSecret(deps.randomBytes(webhookSecretRandomBytes))
  const sealed = seal(deps.recordKeys, 'webhook-secret', serviceId, secret, deps.randomBytes(nonceBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    await replaceWebhookSecret(session, serviceId, sealed, overlapSeconds)
    const details = { service: serviceId, overlapSeconds }
    await logAction(session, actor, { accountId, action: 'webhook secret rotated', details })
  })
  return secret
}

// Sends a signed example of a webhook to an address of the customer's choice, and reports what came back. It is signed with the
// secrets of the service, so the receiver can check it; its number is a test number, and nothing is stored.

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

// No verification has it.
const exampleId = 1 as VerificationId

export async function sendExampleWebhook(
  {
    slots,
    recordKeys,
    nowSeconds,
    webhookAllow,
    sendWebhook,
  }: Pick<Deps, 'slots' | 'recordKeys' | 'nowSeconds' | 'webhookAllow' | 'sendWebhook'>,
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
