<?php

// Everything that can go wrong. A refusal of the service has a class by its code; the names are those of the Node client.

declare(strict_types=1);

namespace Ringproof;

class RingproofError extends \RuntimeException
{
}

/**
 * No response: the network failed, or the timeout passed. For initCall, `unique` is the key that was sent: call again with
 * it and you get the same verification, and no phone rings twice.
 */
final class ConnectionError extends RingproofError
{
    public function __construct(string $message, public readonly ?string $unique)
    {
        parent::__construct($message);
    }
}

/** A response that is not the service's: usually a proxy responds in its place. */
final class UnexpectedResponseError extends RingproofError
{
    public readonly int $httpStatus;
    public readonly string $requestId;
    public readonly ?int $retryAfterSeconds;

    public function __construct(ResponseHead $head)
    {
        parent::__construct("Unexpected response (HTTP $head->httpStatus).");
        $this->httpStatus = $head->httpStatus;
        $this->requestId = $head->requestId;
        $this->retryAfterSeconds = $head->retryAfterSeconds;
    }
}

/** The verification did not end within the time that waitForResult was given. It goes on; poll again with the same ID. */
final class ResultTimeoutError extends RingproofError
{
}

/** A webhook that was not signed with this secret, or not recently. Do not trust its content. */
final class WebhookVerificationError extends RingproofError
{
}

/**
 * The service refused the request: nothing was created and nothing charged. getCode() is the code of the API. A code that
 * is newer than this package comes as this class itself.
 */
class ApiError extends RingproofError
{
    public readonly int $httpStatus;
    /** Name it when you ask for help. */
    public readonly string $requestId;
    public readonly ?int $retryAfterSeconds;

    final public function __construct(string $message, int $code, ResponseHead $head)
    {
        parent::__construct($message, $code);
        $this->httpStatus = $head->httpStatus;
        $this->requestId = $head->requestId;
        $this->retryAfterSeconds = $head->retryAfterSeconds;
    }

    public static function of(int $code, string $message, ResponseHead $head): self
    {
        $class = self::BY_CODE[$code] ?? self::class;
        return new $class($message, $code, $head);
    }

    public const BY_CODE = [
        0 => AddressRefusedError::class,
        1 => MalformedRequestError::class,
        2 => ParameterError::class,
        3 => PhoneNumberError::class,
        4 => ServiceOffError::class,
        5 => UnavailableError::class,
        9 => CountryNotAllowedError::class,
        10 => UnknownVerificationError::class,
        11 => RepeatTooLateError::class,
        12 => RepeatLimitError::class,
        13 => NotRepeatableError::class,
        18 => TooManyCallsError::class,
        19 => CooldownError::class,
        20 => ModeNotAvailableError::class,
        21 => NoCallerNumberError::class,
        50 => CapReachedError::class,
        401 => AuthenticationError::class,
        404 => UnknownMethodError::class,
        405 => NotSupportedError::class,
        429 => RateLimitError::class,
        500 => ServerError::class,
        1001 => AccountBlockedError::class,
        1002 => InsufficientFundsError::class,
        1003 => AddressNotAllowedError::class,
        1004 => ServiceArchivedError::class,
        1005 => PhoneNotVerifiedError::class,
    ];
}

final class AddressRefusedError extends ApiError
{
}

final class MalformedRequestError extends ApiError
{
}

final class ParameterError extends ApiError
{
}

final class PhoneNumberError extends ApiError
{
}

final class ServiceOffError extends ApiError
{
}

final class UnavailableError extends ApiError
{
}

final class CountryNotAllowedError extends ApiError
{
}

final class UnknownVerificationError extends ApiError
{
}

final class RepeatTooLateError extends ApiError
{
}

final class RepeatLimitError extends ApiError
{
}

final class NotRepeatableError extends ApiError
{
}

final class TooManyCallsError extends ApiError
{
}

final class CooldownError extends ApiError
{
}

final class ModeNotAvailableError extends ApiError
{
}

final class NoCallerNumberError extends ApiError
{
}

final class CapReachedError extends ApiError
{
}

final class AuthenticationError extends ApiError
{
}

final class UnknownMethodError extends ApiError
{
}

final class NotSupportedError extends ApiError
{
}

final class RateLimitError extends ApiError
{
}

final class ServerError extends ApiError
{
}

final class AccountBlockedError extends ApiError
{
}

final class InsufficientFundsError extends ApiError
{
}

final class AddressNotAllowedError extends ApiError
{
}

final class ServiceArchivedError extends ApiError
{
}

final class PhoneNotVerifiedError extends ApiError
{
}
