import { test } from 'node:test'
import { guessKeys } from '../support/suites/key-guessing.ts'

test('600 wrong keys at 200 a second from one address: few are evaluated, other addresses are served, one log line', () =>
  guessKeys(600, 200))
