// Erasure. Numbers on their way are sealed; a lifetime in a stream frees their place, but blocks of a disk and copies of it
// stay. What makes them unreadable for ever is that the key they were sealed with is destroyed.

import type { Command } from 'commander'
import { hasPassed } from '../db/tariff.ts'
import { numberLifeSeconds } from '../domain/wait.ts'
import { OperatorMistake } from '../errors.ts'
import { destroyOldKeys, makeNextKey, newestKeyMadeAt } from '../secrets.ts'
import { type Answer, type Hand, type OpenHand, onRecord } from './hand.ts'

const ring = 'seal-numbers'

// A server that was about to seal when it was restarted is given as long again.
const restMs = 2 * numberLifeSeconds * 1_000

export function addSecretCommands(program: Command, hand: Hand): void {
  const secrets = program.command('secrets').description('The keys that seal phone numbers on their way.')

  secrets
    .command('rotate')
    .description('Make the next key. Servers seal with it from their next start on, and still open what is older.')
    .option('--json', 'answer in JSON')
    .action(onRecord(hand, rotate))

  secrets
    .command('destroy')
    .description('Destroy every key but the newest: what they sealed can never be read again.')
    .requiredOption('--every-server-was-restarted', 'they were, since the newest key was made')
    .option('--json', 'answer in JSON')
    .action(onRecord(hand, destroy))
}

async function rotate(open: OpenHand): Promise<Answer> {
  const file = makeNextKey(open.readConfig().secretsDir, ring, open.chance)
  return {
    json: { made: file },
    text: `Made ${file}. Restart every server; an hour later: ringproof secrets destroy --every-server-was-restarted`,
  }
}

async function destroy(open: OpenHand): Promise<Answer> {
  const { secretsDir } = open.readConfig()
  const rested = new Date(newestKeyMadeAt(secretsDir, ring).getTime() + restMs)
  if (!(await hasPassed(open.slots.home, rested))) {
    throw new OperatorMistake(
      'the newest key is not an hour old: what the one before has sealed may still be on its way',
    )
  }
  const destroyed = destroyOldKeys(secretsDir, ring)
  return {
    json: { destroyed },
    text: destroyed.length === 0 ? 'There is one key; nothing was destroyed.' : `Destroyed ${destroyed.join(', ')}.`,
  }
}
