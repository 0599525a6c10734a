<?php

declare(strict_types=1);

namespace Ringproof;

/** @internal */
final class ResponseHead
{
    public function __construct(
        public readonly int $httpStatus,
        public readonly string $requestId,
        public readonly ?int $retryAfterSeconds,
    ) {
    }

    /** @param list<string> $lines as PHP gives them: the status line, then the headers */
    public static function of(array $lines): self
    {
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        $retryAfter = $headers['retry-after'] ?? '';
        return new self(
            preg_match('#^HTTP/\S+ (\d{3})#', $lines[0], $found) === 1 ? (int) $found[1] : 0,
            $headers['x-request-id'] ?? '',
            ctype_digit($retryAfter) ? (int) $retryAfter : null,
        );
    }
}
