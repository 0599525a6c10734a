<?php

declare(strict_types=1);

namespace Ringproof;

/**
 * The client of Ringproof: its eight methods, and waiting for the result of a call. The names are those of the API and of
 * the Node client. Keep the key on your server: it spends the money of the account.
 */
final class Ringproof
{
    private readonly Transport $transport;

    /**
     * @param string      $baseUrl      Where the service is, without /v1.0: https, or http on this machine.
     * @param string|null $plainHttpUrl The address over plain HTTP, for networks that block the first one. The key and the
     *                                  phone number then travel in clear text, so it is used only if you name it, and only
     *                                  after the first address could not be reached.
     * @param int         $timeoutMs    How long one attempt may take.
     */
    public function __construct(
        string $baseUrl,
        string $key,
        int|string $serviceId,
        ?string $plainHttpUrl = null,
        int $timeoutMs = 10_000,
        int $retriesMax = 2,
    ) {
        $this->transport = new Transport($baseUrl, "$key.$serviceId", $plainHttpUrl, $timeoutMs, $retriesMax);
    }

    /**
     * Calls the number. Without a `unique` one is generated, so that a retry after a lost response never rings twice.
     *
     * @param array{phone: string, code?: string|int, client?: string, unique?: string, voice?: bool, mix?: bool} $request
     * @return array<string, mixed>
     */
    public function initCall(array $request): array
    {
        return $this->transport->send('initCall', $request + ['unique' => self::uuid()]);
    }

    /**
     * @param array{uid: int}|int|string $request the request, or only the ID
     * @return array<string, mixed>
     */
    public function getInfo(array|int|string $request): array
    {
        return $this->transport->send('getInfo', self::asRequest('uid', $request));
    }

    /**
     * @param array{uid: int}|int|string $request the request, or only the ID
     * @return array<string, mixed>
     * @deprecated Most installations refuse it with NotSupportedError; call initCall again.
     */
    public function initRepeat(array|int|string $request): array
    {
        return $this->transport->send('initRepeat', self::asRequest('uid', $request));
    }

    /**
     * @param array{phone: string, callback_url: string} $request
     * @return array<string, mixed>
     */
    public function inboundCallWaiting(array $request): array
    {
        return $this->transport->send('inboundCallWaiting', $request);
    }

    /**
     * @param array{phone: string}|int|string $request the request, or only the number
     * @return array<string, mixed>
     */
    public function checkPhone(array|int|string $request): array
    {
        return $this->transport->send('checkPhone', self::asRequest('phone', $request));
    }

    /** @return array<string, mixed> */
    public function getAccount(): array
    {
        return $this->transport->send('getAccount', []);
    }

    /** @return array<string, mixed> */
    public function getService(): array
    {
        return $this->transport->send('getService', []);
    }

    /** @return array<string, mixed> */
    public function getBalance(): array
    {
        return $this->transport->send('getBalance', []);
    }

    /**
     * Polls until the call has ended: `call_status` 1, the phone rang; 0, it could not be reached.
     *
     * @return array<string, mixed> the response of getInfo
     */
    public function waitForResult(int $vendorId, int $timeoutMs = 65_000): array
    {
        $deadline = microtime(true) + $timeoutMs / 1_000;
        for ($pause = 0.25; microtime(true) < $deadline; $pause = min($pause * 1.5, 2)) {
            $info = $this->getInfo(['uid' => $vendorId]);
            if ($info['call_status'] !== -1) {
                return $info;
            }
            usleep((int) (max(0, min($pause, $deadline - microtime(true))) * 1_000_000));
        }
        throw new ResultTimeoutError("Verification $vendorId did not end within $timeoutMs ms.");
    }

    /** Methods with one parameter also take its bare value. */
    private static function asRequest(string $name, array|int|string $request): array
    {
        return is_array($request) ? $request : [$name => $request];
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
