// Plans an inbound verification without touching anything: whether the service may ask for it, at what price, and which
// confirmation numbers the subscriber can be given. Everything comes in as arguments, randomness included.

import { methodParameters } from '@ringproof/contract/parameters.ts'
import { Refusal, unavailable } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import type { Slot } from '../core/slot.ts'
import { receiverDigest } from '../crypto/keyed-digest.ts'
import { seal } from '../crypto/sealing.ts'
import type { PriceList } from '../money/tariff.ts'
import { phoneInfoOf } from '../numbers/number-info.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import { mask, type NumberRef, numberRefOf, ofActiveKey, tenantHashes } from '../numbers/phone-number.ts'
import { isScenarioNumber } from '../numbers/test-number.ts'
import { type ConfirmationTable, candidatesFor } from '../trunks/confirmation-number.ts'
import { parseCallbackUrl } from '../webhooks/web-address.ts'
import type { InboundCommand } from './call-request.ts'
import { type InboundRequest, testCallSeconds } from './inbound-request.ts'
import { type Person, sealPerson } from './person.ts'
import type { PlanKeys } from './plan-call.ts'
import { screenNumber } from './screen-number.ts'

type InboundPlanInput = {
  readonly apiClient: ApiClient
  readonly command: InboundCommand
  readonly table: InboundTable
  readonly index: NumberingIndex
  readonly isOwnPhone: boolean
  readonly keys: PlanKeys
  readonly random: InboundPlanRandom
  // Networks of the operator that webhooks may reach although they are not public.
  readonly webhookAllow: readonly string[]
  // Whether the database of the account also keeps this slot.
  readonly isLocalShard: (slot: Slot) => boolean
}

// The part of the routing table that a plan reads.
type InboundTable = PriceList & ConfirmationTable

// The fraction is in [0, 1).
type InboundPlanRandom = {
  readonly candidate: number
  readonly personNonce: Uint8Array
  readonly callbackNonce: Uint8Array
}

export type InboundPlan = { readonly request: InboundRequest; readonly number: NumberRef }

export function planInboundRequest(input: InboundPlanInput): InboundPlan {
  const { apiClient, command, keys, random } = input
  const { callbackUrl } = command
  const { serviceId } = apiClient
  const url = parseCallbackUrl(callbackUrl, input.webhookAllow)
  if (!url) {
    const { expects } = methodParameters.inboundCallWaiting.required.callback_url
    throw new Refusal('invalidParameter', { parameter: 'callback_url', expected: expects })
  }
  const { request, number } = planWait(input)
  const callbackSealed = seal(keys.sealRecords, 'callback', serviceId, callbackUrl, random.callbackNonce)
  return { request: { ...request, callbackSealed, receiverDigest: receiverDigest(keys.sealRecords, url.host) }, number }
}

export type WaitInput = Omit<InboundPlanInput, 'command' | 'random' | 'webhookAllow'> & {
  readonly command: Pick<InboundCommand, 'phone'> & Partial<Pick<Person, 'client' | 'unique' | 'metadata'>>
  readonly random: Omit<InboundPlanRandom, 'callbackNonce'>
}

export type WaitPlan = {
  readonly request: Omit<InboundRequest, 'callbackSealed' | 'receiverDigest'>
  readonly number: NumberRef
}

// Without a webhook.
export function planWait(input: WaitInput): WaitPlan {
  const { apiClient, command, isOwnPhone, table, index, keys, random, isLocalShard } = input
  const { phone, client = '', unique, metadata } = command
  const { serviceId } = apiClient
  const wanted = { method: 'inboundCallWaiting', mode: '' } as const
  const { isTest, country, price } = screenNumber({ apiClient, phone, isOwnPhone, index, prices: table, wanted })
  if (!apiClient.modes.includes('inbound')) throw new Refusal('modeSwitchedOff', { mode: 'inbound' })
  const line = isTest ? (isScenarioNumber(phone) ? 'scenario' : 'test') : 'carrier'
  const candidates = candidatesFor(table, { country, line, isLocalShard }, random.candidate)
  if (price === undefined) throw unavailable('no_price')
  if (candidates.length === 0) throw unavailable('no_confirmation_number')

  const number = numberRefOf(keys, phone)
  const person = { phoneMask: mask(phone), client, unique, metadata }
  const request: WaitPlan['request'] = {
    accountId: apiClient.accountId,
    serviceId,
    isTest,
    phoneHash: ofActiveKey(tenantHashes(keys.phoneTenant, apiClient.accountId, phone)),
    personSealed: sealPerson(keys.sealRecords, serviceId, person, random.personNonce),
    country,
    phoneInfo: phoneInfoOf(phone, country, index),
    price,
    hourMax: apiClient.hourMax,
    dayMax: apiClient.dayMax,
    spendMax: apiClient.spendMax,
    optOutDigest: isLocalShard(number.slot) ? number.optOutDigest : undefined,
    subscriberHashes: number.hashes,
    candidates,
    inboundSeconds: apiClient.inboundSeconds,
    testCallSeconds: testCallSeconds(phone),
  }
  return { request, number }
}
