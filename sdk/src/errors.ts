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

/** A webhook that was not signed with this secret, or not lately. Nothing in it may be believed. */
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
export class ApiError extends RingproofError {
  override name = 'ApiError'
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

export class AddressRefusedError extends ApiError {
  override name = 'AddressRefusedError'
}
export class MalformedRequestError extends ApiError {
  override name = 'MalformedRequestError'
}
export class ParameterError extends ApiError {
  override name = 'ParameterError'
}
export class PhoneNumberError extends ApiError {
  override name = 'PhoneNumberError'
}
export class ServiceOffError extends ApiError {
  override name = 'ServiceOffError'
}
export class UnavailableError extends ApiError {
  override name = 'UnavailableError'
}
export class CountryNotAllowedError extends ApiError {
  override name = 'CountryNotAllowedError'
}
export class UnknownVerificationError extends ApiError {
  override name = 'UnknownVerificationError'
}
export class RepeatTooLateError extends ApiError {
  override name = 'RepeatTooLateError'
}
export class RepeatLimitError extends ApiError {
  override name = 'RepeatLimitError'
}
export class NotRepeatableError extends ApiError {
  override name = 'NotRepeatableError'
}
export class TooManyCallsError extends ApiError {
  override name = 'TooManyCallsError'
}

/** The one refusal that people meet by being impatient, so the time to show them is always there. */
export class CooldownError extends ApiError {
  override name = 'CooldownError'
  override readonly retryAfterSeconds: number

  constructor(refused: Refused) {
    super(refused)
    this.retryAfterSeconds = refused.retryAfterSeconds ?? 15
  }
}

export class ModeNotAvailableError extends ApiError {
  override name = 'ModeNotAvailableError'
}
export class NoCallerNumberError extends ApiError {
  override name = 'NoCallerNumberError'
}
export class CapReachedError extends ApiError {
  override name = 'CapReachedError'
}
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
export class UnknownMethodError extends ApiError {
  override name = 'UnknownMethodError'
}
export class NotSupportedError extends ApiError {
  override name = 'NotSupportedError'
}
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}
export class ServerError extends ApiError {
  override name = 'ServerError'
}
export class AccountBlockedError extends ApiError {
  override name = 'AccountBlockedError'
}
export class InsufficientFundsError extends ApiError {
  override name = 'InsufficientFundsError'
}
export class AddressNotAllowedError extends ApiError {
  override name = 'AddressNotAllowedError'
}
export class ServiceArchivedError extends ApiError {
  override name = 'ServiceArchivedError'
}
export class PhoneNotVerifiedError extends ApiError {
  override name = 'PhoneNotVerifiedError'
}
