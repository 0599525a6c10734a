// Which refusals each method may return.

import type { RefusalName } from './errors.ts'
import type { Method } from './methods.ts'

// Before the method runs: transport, key, rate, state of the account and the service.
export const commonRefusals: readonly RefusalName[] = [
  'addressRefused',
  'malformedRequest',
  'jsonSentAsForm',
  'serviceOff',
  'authenticationFailed',
  'keyInJsonSentAsForm',
  'keyInGetBody',
  'keyRefused',
  'tooManyRequests',
  'internalError',
  'accountBlocked',
  'addressNotAllowed',
  'serviceArchived',
]

// Of the methods that start a verification.
const startRefusals: readonly RefusalName[] = [
  'parameterMissing',
  'parameterMisnamed',
  'parameterInPostQuery',
  'parameterInGetBody',
  'invalidParameter',
  'invalidPhone',
  'phoneOptedOut',
  'unavailable',
  'serverBusy',
  'needsOperator',
  'callsStopped',
  'countryNotAllowed',
  'modeSwitchedOff',
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
  getInfo: [
    'parameterMissing',
    'parameterMisnamed',
    'parameterInPostQuery',
    'parameterInGetBody',
    'invalidParameter',
    'uidUnknown',
  ],
  initRepeat: [
    ...startRefusals,
    'repeatNotSupported',
    'repeatTooLate',
    'repeatLimitReached',
    'notRepeatable',
    'numberCooldown',
  ],
  inboundCallWaiting: startRefusals,
  checkPhone: [
    'parameterMissing',
    'parameterMisnamed',
    'parameterInPostQuery',
    'parameterInGetBody',
    'invalidParameter',
    'serverBusy',
    'needsOperator',
    'insufficientFunds',
    'phoneNotVerified',
  ],
  getAccount: [],
  getService: [],
  getBalance: [],
}
