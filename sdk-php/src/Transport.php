<?php

declare(strict_types=1);

namespace Ringproof;

/**
 * Sends a request, and retries it where that is safe: at most twice, after about half a second and after about one. A
 * method that would charge or ring again (checkPhone, initRepeat, inboundCallWaiting) is not retried once it may have
 * arrived. Limits of a phone number and caps of a service are for people to wait for, and so is any delay above five seconds.
 *
 * @internal
 */
final class Transport
{
    private const REPEATABLE = ['initCall', 'getInfo', 'getAccount', 'getService', 'getBalance'];
    private const RETRY_WAIT_SECONDS_MAX = 5.0;

    private readonly string $first;
    private readonly string $second;

    public function __construct(
        string $baseUrl,
        private readonly string $bearer,
        ?string $plainHttpUrl,
        private readonly int $timeoutMs,
        private readonly int $retriesMax,
    ) {
        $isLoopback = preg_match('#^http://(localhost|127(\.\d+){3}|\[::1\])(:|/|$)#', $baseUrl) === 1;
        if (!str_starts_with($baseUrl, 'https://') && !$isLoopback) {
            throw new \InvalidArgumentException(
                'baseUrl must be https. Over plain HTTP the key travels in clear text: see plainHttpUrl.',
            );
        }
        $this->first = rtrim($baseUrl, '/');
        $this->second = rtrim($plainHttpUrl ?? $baseUrl, '/');
    }

    /**
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    public function send(string $method, array $request): array
    {
        $address = $this->first;
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->attempt("$address/v1.0/$method", $request);
            } catch (RingproofError $error) {
                $wait = $attempt < $this->retriesMax ? self::retryWait($method, $error, $attempt) : null;
                if ($wait === null) {
                    throw $error;
                }
                if ($error instanceof ConnectionError) {
                    $address = $this->second;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    /**
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    private function attempt(string $url, array $request): array
    {
        [$head, $text] = $this->exchange($url, json_encode((object) $request, JSON_THROW_ON_ERROR), $request);
        $json = json_decode($text, true);
        if (is_array($json) && ($json['status'] ?? null) === false && is_int($json['code'] ?? null)) {
            throw ApiError::of($json['code'], (string) ($json['error'] ?? ''), $head);
        }
        if (!is_array($json) || $head->httpStatus !== 200) {
            throw new UnexpectedResponseError($head);
        }
        return $json;
    }

    /**
     * @param array<string, mixed> $request
     * @return array{ResponseHead, string}
     */
    private function exchange(string $url, string $body, array $request): array
    {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => [
                "Authorization: Bearer $this->bearer",
                'Content-Type: application/json',
                'User-Agent: ringproof-client-php/0.1.0-rc.1',
                'Connection: close',
            ],
            'content' => $body,
            'timeout' => $this->timeoutMs / 1_000,
            'ignore_errors' => true,
            'follow_location' => 0,
        ]]);
        $text = @file_get_contents($url, false, $context);
        $lines = $http_response_header ?? [];
        if ($text === false || $lines === []) {
            $host = parse_url($url, PHP_URL_HOST);
            throw new ConnectionError("No response from $host.", isset($request['unique']) ? (string) $request['unique'] : null);
        }
        return [ResponseHead::of($lines), $text];
    }

    /** Seconds; null when the same request must not be sent again, or not so soon. */
    private static function retryWait(string $method, RingproofError $error, int $attempt): ?float
    {
        if (!self::isTransient($error, in_array($method, self::REPEATABLE, true))) {
            return null;
        }
        $backoff = 0.5 * 2 ** $attempt * (0.75 + random_int(0, 1_000) / 4_000);
        $named = $error instanceof ConnectionError ? null : ($error->retryAfterSeconds ?? null);
        $wait = $named === null ? $backoff : max((float) $named, $backoff);
        return $wait > self::RETRY_WAIT_SECONDS_MAX ? null : $wait;
    }

    private static function isTransient(RingproofError $error, bool $isRepeatable): bool
    {
        if ($error instanceof ConnectionError) {
            return $isRepeatable;
        }
        // The code counts as well as the status: a service may have every response sent with 200.
        if ($error instanceof ApiError) {
            $code = $error->getCode();
            return $code === 5
                || ($code === 500 && $isRepeatable)
                || ($code === 429 && $error->retryAfterSeconds !== null);
        }
        if (!$error instanceof UnexpectedResponseError) {
            return false;
        }
        return ($error->httpStatus >= 500 && $isRepeatable)
            || ($error->httpStatus === 429 && $error->retryAfterSeconds !== null);
    }
}
