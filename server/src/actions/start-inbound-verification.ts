// inboundCallWaiting: what is cheap to refuse is refused first and without the database; then one step in the database evaluates
// caps and money, takes a number that no open wait of the subscriber uses, and holds the price. Nothing is handed to
// anybody: the subscriber's call will find the wait.

import { methodParameters } from '@ringproof/contract/parameters.ts'
import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { CallBatches } from '../db/call-batches.ts'
import type { InboundRequest } from '../db/inbound-request.ts'
import { isOptedOut } from '../db/opt-out.ts'
import type { RoutingTable } from '../db/routing-table.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { InboundCommand } from '../domain/calls/inbound-command.ts'
import { testCallSeconds } from '../domain/calls/inbound-request.ts'
import { sealPerson } from '../domain/calls/person.ts'
import { receiverDigest } from '../domain/crypto/keyed-digest.ts'
import { randomFraction } from '../domain/crypto/random-fraction.ts'
import { type KeyRing, nonceBytes, seal } from '../domain/crypto/sealing.ts'
import { zeroMoney } from '../domain/money/money.ts'
import { priceOf } from '../domain/money/tariff.ts'
import { phoneInfoOf } from '../domain/numbers/number-info.ts'
import { describeNumber, isTestNumber } from '../domain/numbers/number-plan.ts'
import type { NumberingIndex } from '../domain/numbers/numbering-index.ts'
import {
  lastingDigest,
  mask,
  ofActiveKey,
  slotOfDigest,
  subscriberHashes,
  tenantHashes,
} from '../domain/numbers/phone-number.ts'
import { slotOfAccount } from '../domain/slot.ts'
import { candidatesFor } from '../domain/trunks/confirmation-number.ts'
import { parseCallbackUrl } from '../domain/webhooks/web-address.ts'
import { Refusal } from '../errors.ts'
import { mapLockTimeout } from './map-lock-timeout.ts'
import { refuseDecision } from './refuse-decision.ts'

export type InboundDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'startInbound'>
  readonly routing: () => RoutingTable
  readonly numbers: () => NumberingIndex
  readonly keys: {
    readonly phoneTenant: KeyRing
    readonly phoneSubscriber: KeyRing
    readonly phoneSlot: KeyRing
    readonly sealRecords: KeyRing
  }
  readonly randomBytes: (bytes: number) => Uint8Array
  // Networks of the operator's that webhooks may reach all the same.
  readonly webhookAllow: readonly string[]
}

export async function startInboundVerification(
  deps: InboundDeps,
  apiClient: ApiClient,
  command: InboundCommand,
): Promise<ApiResponse<'inboundCallWaiting'>> {
  const wait = planInboundRequest(deps, apiClient, command)
  await refuseOptedOutElsewhere(deps, wait, command)
  const started = await mapLockTimeout(deps.batches.startInbound(wait))
  if (started.decision !== 'accepted') throw refuseDecision(started, apiClient)
  return {
    status: true,
    vendor_id: started.id,
    phone: mask(command.phone),
    confirmation_number: String(started.confirmationNumber),
  }
}

// The opt-outs of a number that another database keeps; those of this one are looked up in the step that starts the wait.
async function refuseOptedOutElsewhere(
  { slots, keys }: InboundDeps,
  wait: InboundRequest,
  { phone }: InboundCommand,
): Promise<void> {
  if (wait.optOutDigest || wait.isTest) return
  const digest = lastingDigest(keys.phoneSlot, phone)
  if (await isOptedOut(slots.databaseOf(slotOfDigest(digest)), digest)) throw new Refusal('phoneOptedOut')
}

function planInboundRequest(
  deps: InboundDeps,
  apiClient: ApiClient,
  { phone, callbackUrl }: InboundCommand,
): InboundRequest {
  const { slots, keys } = deps
  const table = deps.routing()
  const url = parseCallbackUrl(callbackUrl, deps.webhookAllow)
  if (!url) {
    const { expects } = methodParameters.inboundCallWaiting.required.callback_url
    throw new Refusal('invalidParameter', { parameter: 'callback_url', expected: expects })
  }
  const isTest = isTestNumber(phone)
  const index = deps.numbers()
  const { country = '', isCallable } = describeNumber(phone, index)
  if (isTest ? !apiClient.testNumbers : !isCallable) throw new Refusal('invalidPhone')
  if (!isTest && !apiClient.geography.includes(country)) throw new Refusal('countryNotAllowed', { country })
  const wanted = { method: 'inboundCallWaiting', mode: '', country } as const
  const price = isTest ? zeroMoney : priceOf(table.pricesOf(apiClient.tariff), wanted, table.readAt)
  const here = slots.databaseOf(slotOfAccount(apiClient.accountId))
  const isLocalShard = (slot: Parameters<typeof slots.databaseOf>[0]) => slots.databaseOf(slot) === here
  const candidates = candidatesFor(
    table.trunks,
    table.confirmationNumbers,
    country,
    isLocalShard,
    randomFraction(deps.randomBytes),
  )
  if (price === undefined || candidates.length === 0) throw new Refusal('unavailable', {}, 5)
  const digest = lastingDigest(keys.phoneSlot, phone)
  const person = { phoneMask: mask(phone), client: '', unique: undefined }
  return {
    ...apiClient,
    isTest,
    phoneHash: ofActiveKey(tenantHashes(keys.phoneTenant, apiClient.accountId, phone)),
    personSealed: sealPerson(keys.sealRecords, apiClient.serviceId, person, deps.randomBytes(nonceBytes)),
    country,
    phoneInfo: phoneInfoOf(phone, country, index),
    price,
    subscriberHashes: subscriberHashes(keys.phoneSubscriber, phone),
    candidates,
    callbackSealed: seal(keys.sealRecords, 'callback', apiClient.serviceId, callbackUrl, deps.randomBytes(nonceBytes)),
    receiverDigest: receiverDigest(keys.sealRecords, url.host),
    testCallSeconds: testCallSeconds(phone),
    optOutDigest: isLocalShard(slotOfDigest(digest)) ? digest : undefined,
  }
}
