// Everything that can go wrong, each with a class of its own. A refusal of the service is known by its code; what has no
// refusal is a ConnectionError (nobody knows what became of the request) or an UnexpectedResponseError (somebody else answered).

export class RingproofError extends Error {
  override name = 'RingproofError'
}

/**
 * No response came: the network failed, or the time was up. For initCall, `unique` is the key that was sent: whoever calls
 * again with it gets the same verification, and no phone rings twice.
 */
export class ConnectionError extends RingproofError {
  override name = 'ConnectionError'
  readonly unique: string | undefined

  constructor(message: string, unique: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.unique = unique
  }
}

/** An response that is not the service's: mostly a proxy speaks in its place. */
export class UnexpectedResponseError extends RingproofError {
  override name = 'UnexpectedResponseError'
  readonly httpStatus: number
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined

  constructor({ httpStatus, requestId, retryAfterSeconds }: ResponseHead) {
    super(`The response is not one of Ringproof's (HTTP ${httpStatus}).`)
    this.httpStatus = httpStatus
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The verification has not ended within the time that waitForResult was given. It goes on; ask again with the same id. */
export class ResultTimeoutError extends RingproofError {
  override name = 'ResultTimeoutError'
}

/** A web-hook that was not signed with this secret, or not lately. Nothing in it may be believed. */
export class WebhookVerificationError extends RingproofError {
  override name = 'WebhookVerificationError'
}

export type ResponseHead = {
  readonly httpStatus: number
  /** Name it when you ask for help. */
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
}

export type Refused = ResponseHead & { readonly code: number; readonly error: string }

/**
 * The service understood and said no. Nothing was created and nothing charged. A code that is newer than this package
 * comes as this class itself.
 */
export class RefusalError extends RingproofError {
  override name = 'RefusalError'
  readonly code: number
  readonly httpStatus: number
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined

  constructor({ code, error, httpStatus, requestId, retryAfterSeconds }: Refused) {
    super(error)
    this.code = code
    this.httpStatus = httpStatus
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export class AddressRefusedError extends RefusalError {
  override name = 'AddressRefusedError'
}
export class UnreadableRequestError extends RefusalError {
  override name = 'UnreadableRequestError'
}
export class ParameterError extends RefusalError {
  override name = 'ParameterError'
}
export class PhoneNumberError extends RefusalError {
  override name = 'PhoneNumberError'
}
export class ServiceOffError extends RefusalError {
  override name = 'ServiceOffError'
}
export class CannotStartError extends RefusalError {
  override name = 'CannotStartError'
}
export class CountryNotAllowedError extends RefusalError {
  override name = 'CountryNotAllowedError'
}
export class UnknownVerificationError extends RefusalError {
  override name = 'UnknownVerificationError'
}
export class RepeatTooLateError extends RefusalError {
  override name = 'RepeatTooLateError'
}
export class RepeatsUsedUpError extends RefusalError {
  override name = 'RepeatsUsedUpError'
}
export class NotRepeatableError extends RefusalError {
  override name = 'NotRepeatableError'
}
export class TooManyCallsError extends RefusalError {
  override name = 'TooManyCallsError'
}

/** The one refusal that people meet by being impatient, so the time to show them is always there. */
export class TooSoonError extends RefusalError {
  override name = 'TooSoonError'
  override readonly retryAfterSeconds: number

  constructor(refused: Refused) {
    super(refused)
    this.retryAfterSeconds = refused.retryAfterSeconds ?? 15
  }
}

export class ModeNotAvailableError extends RefusalError {
  override name = 'ModeNotAvailableError'
}
export class NoCallerNumberError extends RefusalError {
  override name = 'NoCallerNumberError'
}
export class CapReachedError extends RefusalError {
  override name = 'CapReachedError'
}
export class AuthenticationError extends RefusalError {
  override name = 'AuthenticationError'
}
export class UnknownMethodError extends RefusalError {
  override name = 'UnknownMethodError'
}
export class NotSupportedError extends RefusalError {
  override name = 'NotSupportedError'
}
export class RateLimitError extends RefusalError {
  override name = 'RateLimitError'
}
export class ServerError extends RefusalError {
  override name = 'ServerError'
}
export class AccountBlockedError extends RefusalError {
  override name = 'AccountBlockedError'
}
export class InsufficientFundsError extends RefusalError {
  override name = 'InsufficientFundsError'
}
export class AddressNotAllowedError extends RefusalError {
  override name = 'AddressNotAllowedError'
}
export class ServiceArchivedError extends RefusalError {
  override name = 'ServiceArchivedError'
}
export class PhoneNotVerifiedError extends RefusalError {
  override name = 'PhoneNotVerifiedError'
}
