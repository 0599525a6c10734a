<?php

// Calls the PHP client for a test: one JSON line in, [method, arguments], one JSON line out.

declare(strict_types=1);

require __DIR__ . '/../../sdk-php/src/autoload.php';

$options = json_decode($argv[1], true, flags: JSON_THROW_ON_ERROR);
$client = new Ringproof\Ringproof(...$options);
while (($line = fgets(STDIN)) !== false) {
    [$method, $arguments] = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    try {
        $result = method_exists($client, $method)
            ? $client->$method(...$arguments)
            : Ringproof\Webhooks::$method(...$arguments);
        $said = ['result' => (object) $result];
    } catch (Throwable $error) {
        $said = ['error' => $error::class, 'code' => $error->getCode(), 'message' => $error->getMessage()]
            + get_object_vars($error);
    }
    echo json_encode($said, JSON_THROW_ON_ERROR), "\n";
}
