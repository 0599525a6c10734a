<?php
// Receives webhooks: php -S 127.0.0.1:8080 webhook.php
// Run it with WEBHOOK_SECRET set.

$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$secret = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));

// During a secret rotation there are two signatures. A webhook older than five minutes may be a replay.
$isGenuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
    $isGenuine = hash_equals($expected, $signature) || $isGenuine;
}
if (!$isGenuine || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
    http_response_code(400);
    exit;
}

$call = json_decode($body, true);
error_log("Verified: {$call['clientNumber']} has called, verification {$call['callId']}");
http_response_code(204);
