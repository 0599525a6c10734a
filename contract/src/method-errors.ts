// Which refusals each method may return.

import type { RefusalName } from './errors.ts'
import type { Method } from './methods.ts'

// Before the method runs: transport, key, rate, state of the account and the service.
export const commonRefusals: readonly RefusalName[] = [
  'addressRefused',
  'malformedRequest',
  'serviceOff',
  'authenticationFailed',
  'scopeMissing',
  'tooManyRequests',
  'internalError',
  'accountBlocked',
  'addressNotAllowed',
  'serviceArchived',
]

// Of the methods that start a verification.
const startRefusals: readonly RefusalName[] = [
  'parameterMissing',
  'invalidParameter',
  'invalidPhone',
  'phoneOptedOut',
  'unavailable',
  'callsStopped',
  'countryNotAllowed',
  'numberLimitReached',
  'capReached',
  'insufficientFunds',
  'phoneNotVerified',
]

export const methodRefusals: Readonly<Record<Method, readonly RefusalName[]>> = {
  initCall: [
    ...startRefusals,
    'numberCooldown',
    'modeNotAvailable',
    'noCallerNumber',
    'prefixCapReached',
    'prefixPaused',
    'quietHours',
  ],
  getInfo: ['parameterMissing', 'invalidParameter', 'uidUnknown'],
  initRepeat: ['repeatNotSupported', 'repeatTooLate', 'repeatLimitReached', 'notRepeatable'],
  inboundCallWaiting: startRefusals,
  checkPhone: ['parameterMissing', 'invalidParameter', 'unavailable', 'insufficientFunds', 'phoneNotVerified'],
  getAccount: [],
  getService: [],
  getBalance: [],
}
