<?php

// For projects without Composer: require this file.

declare(strict_types=1);

require_once __DIR__ . '/Errors.php';
require_once __DIR__ . '/ResponseHead.php';
require_once __DIR__ . '/Transport.php';
require_once __DIR__ . '/Ringproof.php';
require_once __DIR__ . '/Webhooks.php';
