<?php
// Verifies a phone number by a call, using PHP's curl extension.
// Run it with BASE_URL, KEY and SERVICE_ID set, and PHONE for another number.

function ask(string $method, array $request): array
{
    $credentials = getenv('KEY') . '.' . getenv('SERVICE_ID');
    $curl = curl_init(getenv('BASE_URL') . "/v1.0/$method");
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ["Authorization: Bearer $credentials", 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($request),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    $body = curl_exec($curl);
    if ($body === false) {
        throw new RuntimeException('No answer came. Ask again with the same unique.');
    }
    $answer = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    if (($answer['status'] ?? true) === false) {
        throw new RuntimeException($answer['error'], $answer['code']);
    }
    return $answer;
}

$phone = getenv('PHONE') ?: '79000000001';

// Start. The idempotency key in unique makes retries safe: the phone is called and charged once. The code is good for ten minutes.
$expires = time() + 600;
$started = ask('initCall', ['phone' => $phone, 'unique' => bin2hex(random_bytes(16))]);
echo "Calling {$started['phone']}, verification {$started['vendor_id']}\n";

// Wait for the call to end, which takes at most a minute.
while (($info = ask('getInfo', ['uid' => $started['vendor_id']]))['call_status'] === -1) {
    sleep(1);
}
if ($info['call_status'] !== 1) {
    echo "The phone could not be reached.\n";
    exit(1);
}

// No phone rings for the test number, so show what to type. Never show the code of a real number.
if ($phone === '79000000001') {
    echo "This is a test number. Type {$started['code']}\n";
}

// Check what the user types: the last four digits of the caller ID. Three guesses, because there are only 10 000 codes.
foreach ([1, 2, 3] as $guess) {
    echo 'The last four digits of the number that called: ';
    $typed = trim((string) fgets(STDIN));
    if (time() >= $expires) {
        echo "The code has expired.\n";
        exit(1);
    }
    if (hash_equals($started['code'], $typed)) {
        echo "Verified.\n";
        exit;
    }
    echo "Wrong code, guess $guess of 3.\n";
}
exit(1);
