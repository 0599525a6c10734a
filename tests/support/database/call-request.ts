// A request of accept_calls for a number that was never called, without limits of the service.

import { randomBytes } from 'node:crypto'
import type { AccountId, ServiceId } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import type { CallRequest } from '../../../server/src/domain/verifications/call-request.ts'

export function callRequest(
  { accountId, serviceId }: { readonly accountId: AccountId; readonly serviceId: ServiceId },
  changes: Partial<CallRequest> = {},
): CallRequest {
  return {
    accountId,
    serviceId,
    keyDigests: undefined,
    isTest: false,
    mode: 'flash',
    phoneHash: randomBytes(32),
    personSealed: randomBytes(40),
    clientDigest: undefined,
    numberHashes: [randomBytes(32)],
    country: 'RU',
    phoneInfo: undefined,
    code: '0417',
    price: 1_000_000 as MicroAmount,
    trunk: 'first',
    callerNumber: 70000000417,
    calls10Minutes: 4,
    callsDay: 10,
    optOutDigest: undefined,
    prefix: undefined,
    prefixMax: undefined,
    chargesFailed: false,
    hourMax: null,
    dayMax: null,
    spendMax: null,
    ...changes,
  }
}
