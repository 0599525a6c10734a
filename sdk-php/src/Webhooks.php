<?php

declare(strict_types=1);

namespace Ringproof;

/** Webhooks, signed by the Standard Webhooks specification: HMAC-SHA256 over `id.timestamp.body`. */
final class Webhooks
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * The content of the webhook, once its signature is verified and it is at most five minutes old. Pass the body as it
     * was received, for example file_get_contents('php://input').
     *
     * @param array<string, string|list<string>> $headers such as getallheaders()
     * @return array{callId: string, callbackLink: string, clientNumber: string, confirmationNumber: string, isMnp: bool,
     *               operatorName: string, operatorNameMnp: string, regionName: string}
     */
    public static function verify(string $rawBody, array $headers, string $secret): array
    {
        $plain = array_map(fn ($value) => is_array($value) ? $value[0] : $value, array_change_key_case($headers));
        $id = $plain['webhook-id'] ?? null;
        $timestamp = $plain['webhook-timestamp'] ?? null;
        $signatures = $plain['webhook-signature'] ?? null;
        if ($id === null || $timestamp === null || $signatures === null) {
            throw new WebhookVerificationError('One of webhook-id, webhook-timestamp, webhook-signature is missing.');
        }
        if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw new WebhookVerificationError('The webhook is too old, or its clock and this one differ.');
        }
        $expected = self::signature($rawBody, $id, $timestamp, $secret);
        // Several signatures stand in the header while a secret is rotated.
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        throw new WebhookVerificationError('The webhook is not signed with this secret.');
    }

    /**
     * Headers that verify() accepts, for your own tests.
     *
     * @return array{webhook-id: string, webhook-timestamp: string, webhook-signature: string}
     */
    public static function testHeaders(string $rawBody, string $secret, ?int $timestampSeconds = null): array
    {
        $id = 'msg_' . bin2hex(random_bytes(12));
        $timestamp = (string) ($timestampSeconds ?? time());
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => self::signature($rawBody, $id, $timestamp, $secret),
        ];
    }

    private static function signature(string $rawBody, string $id, string $timestamp, string $secret): string
    {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('The secret must be whsec_ followed by Base64.');
        }
        return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
    }
}
