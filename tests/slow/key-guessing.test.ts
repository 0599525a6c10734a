import { test } from 'node:test'
import { guessKeys } from '../support/suites/key-guessing.ts'

test('10 000 wrong keys at 200 a second from one address: few are evaluated, other addresses are served, one log line a minute', () =>
  guessKeys(10_000, 200))
