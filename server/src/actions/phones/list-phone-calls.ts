// What the handsets of an account show: its phones, its latest test calls with their webhooks, and the faults that are on.
// Numbers, caller IDs and codes are shown in full: these numbers belong to nobody, and no carrier's number is among them.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import {
  type PhoneCall,
  type PhoneCallWebhook,
  readPhoneCalls,
  readPhoneCallWebhooks,
} from '../../db/phones/phone-call.ts'
import { addPhones, listPhones, readFaults } from '../../db/phones/virtual-phone.ts'
import { hasTestTrunk } from '../../db/trunks/trunk.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { type Price, priceOf } from '../../domain/money/tariff.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { failingNumber, succeedingNumber } from '../../domain/numbers/test-number.ts'
import { firstPhones, testNumberPhone } from '../../domain/phones/virtual-phone.ts'
import { daySeconds } from '../../domain/values/time.ts'

type Deps = {
  readonly slots: SlotMap
  readonly keys: { readonly phoneTenant: KeyRing }
  readonly nowSeconds: () => number
}
type PhonesPage = WebOutput<'phones'>
type ShownCall = PhonesPage['calls'][number]

const callsMax = 50

export async function listPhoneCalls({ slots, keys, nowSeconds }: Deps, accountId: AccountId): Promise<PhonesPage> {
  const { globalDatabase } = slots
  const database = slots.databaseOf(slotOfAccount(accountId))
  const areReal = await hasTestTrunk(globalDatabase)
  if (areReal) await addPhones(globalDatabase, accountId, { count: firstPhones, max: firstPhones })
  const sinceSecond = Math.floor(nowSeconds()) - 7 * daySeconds
  const [own, faults, calls, account, tariffs] = await Promise.all([
    listPhones(globalDatabase, accountId),
    readFaults(globalDatabase, accountId),
    readPhoneCalls(database, accountId, { sinceSecond, limit: callsMax }),
    readAccount(database, accountId),
    readTariffs(globalDatabase),
  ])
  const webhooks = Map.groupBy(
    await readPhoneCallWebhooks(
      database,
      calls.map(({ id }) => id),
    ),
    ({ id }) => id,
  )
  const phones = [succeedingNumber, failingNumber, ...own.map(({ number }) => number)]
  const numberOf = numbersByHash(keys, accountId, phones)
  const prices = tariffs.find(({ code }) => code === account?.tariff)?.prices ?? []
  return {
    phones: [
      ...[succeedingNumber, failingNumber].map((number) => ({ ...fixedPhone(number), isReal: false })),
      ...own.map(({ number, state }) => ({ number, state, isReal: areReal })),
    ],
    calls: calls.flatMap((call) => {
      const number = numberOf(call)
      return number === undefined ? [] : [shownCall(call, number, prices, webhooks.get(call.id) ?? [])]
    }),
    faults: [...faults],
    areReal,
  }
}

function fixedPhone(number: PhoneNumber) {
  return { number, state: testNumberPhone(number, 'flash')?.state ?? 'rings' }
}

// A verification holds no number, only its hash: the account's few phones are hashed and compared.
function numbersByHash(
  keys: Deps['keys'],
  accountId: AccountId,
  phones: readonly PhoneNumber[],
): (call: PhoneCall) => PhoneNumber | undefined {
  const known = new Map(
    phones.flatMap((number) =>
      tenantHashes(keys.phoneTenant, accountId, number).map((hash) => [hash.toString('hex'), number] as const),
    ),
  )
  return ({ phoneHash }) => known.get(phoneHash.toString('hex'))
}

function shownCall(
  call: PhoneCall,
  number: PhoneNumber,
  prices: readonly Price[],
  webhooks: readonly PhoneCallWebhook[],
): ShownCall {
  const { id, mode, country, acceptedAt, callerNumber, shownCaller } = call
  const msOf = (time: Date | null) => (time === null ? null : Math.max(0, time.getTime() - acceptedAt.getTime()))
  const isInbound = mode === 'inbound'
  const item = isInbound
    ? ({ method: 'inboundCallWaiting', mode: '', country } as const)
    : ({ method: 'initCall', mode, country } as const)
  const textOf = (value: number | null) => (value === null ? null : String(value))
  return {
    id,
    number,
    mode,
    state: shownState(call),
    reason: call.reason,
    sipStatus: call.sipStatus,
    callerNumber: isInbound ? null : textOf(shownCaller ?? callerNumber),
    code: call.code,
    confirmationNumber: isInbound ? textOf(callerNumber) : null,
    serviceName: call.serviceName,
    price: toDecimal(priceOf(prices, item, acceptedAt) ?? zeroMoney),
    startedAt: acceptedAt.getTime(),
    dialledMs: msOf(call.dialledAt),
    rangMs: msOf(call.rangAt),
    answeredMs: msOf(call.answeredAt),
    endedMs: msOf(call.endedAt),
    expiresMs: isInbound ? msOf(call.endUntil) : null,
    webhooks: webhooks.map(({ endedAt, status, failure }) => ({
      atMs: msOf(endedAt) ?? 0,
      status,
      error: failure ?? '',
    })),
  }
}

function shownState({ mode, state, rangAt, answeredAt }: PhoneCall): ShownCall['state'] {
  if (state === 'succeeded' || state === 'failed') return state
  if (mode === 'inbound') return 'waiting'
  if (answeredAt !== null) return 'talking'
  return rangAt === null ? 'accepted' : 'ringing'
}
