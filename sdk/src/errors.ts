// The errors of the client. A refusal by the API becomes an ApiError subclass by its code. Otherwise it is a ConnectionError
// (the outcome of the request is unknown) or an UnexpectedResponseError (something other than Ringproof responded).

/** The base class of all errors of this package. */
export class RingproofError extends Error {
  override name = 'RingproofError'
}

/**
 * There was no response: the network failed or the request timed out. For initCall, `unique` is the key that was sent: call
 * again with the same key to get the same verification, without a second call or charge.
 */
export class ConnectionError extends RingproofError {
  override name = 'ConnectionError'
  readonly unique: string | undefined

  constructor(message: string, unique: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.unique = unique
  }
}

/** The response is not from Ringproof, usually because a proxy responded instead. */
export class UnexpectedResponseError extends RingproofError {
  override name = 'UnexpectedResponseError'
  readonly httpStatus: number
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined

  constructor({ httpStatus, requestId, retryAfterSeconds }: ResponseHead) {
    super(`The response is not from Ringproof (HTTP ${httpStatus}).`)
    this.httpStatus = httpStatus
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The verification has not ended within the `timeoutMs` of waitForResult. It continues; call waitForResult again. */
export class ResultTimeoutError extends RingproofError {
  override name = 'ResultTimeoutError'
}

/** The webhook has no valid, recent signature for this secret. Do not trust its content. */
export class WebhookVerificationError extends RingproofError {
  override name = 'WebhookVerificationError'
}

export type ResponseHead = {
  readonly httpStatus: number
  /** Quote it when you contact support. */
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
}

export type Refused = ResponseHead & { readonly code: number; readonly error: string }

/**
 * The API refused the request. Nothing was created and nothing charged. Each known `code` has a subclass; a code that this
 * version does not know is an ApiError itself.
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

/** The number was called too recently. `retryAfterSeconds` is always set, so that you can show a countdown. */
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
