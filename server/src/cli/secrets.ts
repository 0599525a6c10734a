// The life of keys: distributed, active, destroyed; see the head of secrets.ts. Destroying is erasure: a lifetime in a
// stream frees the place of a number, but blocks of a disk and copies of it stay, and what makes them unreadable for ever is
// that the key they were sealed with is gone.

import type { Command } from 'commander'
import { countSealed, resealRecords } from '../actions/reseal-records.ts'
import { wallMs } from '../clock.ts'
import { hasPassed } from '../db/tariff.ts'
import { numberLifeSeconds } from '../domain/calls/inbound-request.ts'
import { UsageError } from '../errors.ts'
import {
  activateNextKey,
  addKey,
  destroyKeys,
  type KeyFile,
  keysDue,
  listKeys,
  type RingName,
  ringNames,
  rings,
} from '../secrets.ts'
import { type CliContext, type CommandResult, type DatabaseContext, withDatabase } from './context.ts'
import { table } from './table.ts'

const everyHost = '--on-every-host'
const dayMs = 86_400_000
// Processes read the directory every ten seconds.
const knownAfterMs = 30_000

export function addSecretCommands(program: Command, context: CliContext): void {
  const secrets = program.command('secrets').description('The keys that seal and hash phone numbers and records.')

  secrets
    .command('list')
    .description('List the keys of every ring, their age and state, and what should be done about them.')
    .option('--json', 'print JSON')
    .action(withDatabase(context, list))

  secrets
    .command('add')
    .description('Make the next key of a ring. It opens and does not seal until it is activated.')
    .argument('<ring>', 'one of those that `ringproof secrets list` shows')
    .option('--json', 'print JSON')
    .action(withDatabase(context, add))

  secrets
    .command('activate')
    .description('Seal and hash with the newest key of a ring. The others still open.')
    .argument('<ring>', 'the ring that a key was added to')
    .requiredOption(everyHost, 'the key was copied to the secrets directory of every host')
    .option('--json', 'print JSON')
    .action(withDatabase(context, activate))

  secrets
    .command('reseal')
    .description('Seal every record anew that another key of seal-records than the active one has sealed.')
    .option('--json', 'print JSON')
    .action(withDatabase(context, reseal))

  secrets
    .command('destroy')
    .description('Destroy the keys that the active one has replaced: what they sealed can never be read again.')
    .argument('<ring>', 'the ring whose old keys to destroy')
    .requiredOption(everyHost, 'the active key and its .active file are on every host')
    .option('--json', 'print JSON')
    .action(withDatabase(context, destroy))
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const { secretsDir, verificationDays } = open.readConfig()
  const keys = ringNames.flatMap((ring) => listKeys(secretsDir, ring))
  const nowMs = wallMs()
  const due = keysDue(secretsDir, verificationDays, nowMs)
  const todo = [
    ...due.map(
      ({ ring, file }) => `${file} seals for more than ${verificationDays} days: ringproof secrets add ${ring}`,
    ),
    ...keys.filter(({ state }) => state !== 'active').map(({ ring, file, state }) => nextStep(ring, file, state)),
  ]
  const ageOf = ({ madeAt }: KeyFile) => Math.floor((nowMs - madeAt.getTime()) / dayMs)
  const rows = keys.map((key) => [key.ring, String(key.number), key.state, String(ageOf(key)), rings[key.ring]])
  return {
    json: {
      keys: keys.map((key) => ({ ring: key.ring, key: key.number, state: key.state, age_days: ageOf(key) })),
      todo,
    },
    text: [table(['ring', 'key', 'state', 'days', 'use'], rows), ...todo].join('\n'),
  }
}

function nextStep(ring: RingName, file: string, state: KeyFile['state']): string {
  return state === 'next'
    ? `${file} is not active: copy it to every host, then ringproof secrets activate ${ring} ${everyHost}`
    : `${file} was replaced: ${ring === 'seal-records' ? 'ringproof secrets reseal, then ' : ''}ringproof secrets destroy ${ring} ${everyHost}`
}

async function add(open: DatabaseContext, text: string): Promise<CommandResult> {
  const ring = parseRing(text)
  if (ring === 'phone-slot') {
    throw new UsageError('phone-slot has one key for ever: it decides which database keeps a number')
  }
  const file = addKey(open.readConfig().secretsDir, ring, open.randomBytes)
  return {
    json: { made: file },
    text: `Made ${file}. It opens and does not seal yet. Copy it to RINGPROOF_SECRETS_DIR of every host; processes read it within ten seconds, or at once on SIGHUP. Half a minute later: ringproof secrets activate ${ring} ${everyHost}`,
  }
}

async function activate(open: DatabaseContext, text: string): Promise<CommandResult> {
  const ring = parseRing(text)
  const { secretsDir, timeScale } = open.readConfig()
  const next = listKeys(secretsDir, ring).findLast(({ state }) => state === 'next')
  if (
    next &&
    !(await hasPassed(open.slots.globalDatabase, new Date(next.madeAt.getTime() + knownAfterMs * timeScale)))
  ) {
    throw new UsageError(`${next.file} was made a moment ago: wait half a minute, until every process has read it`)
  }
  const { file, number } = activateNextKey(secretsDir, ring)
  return {
    json: { activated: file },
    text: `${file} is active: processes here use it within ten seconds, or at once on SIGHUP. Copy ${ring}.active to RINGPROOF_SECRETS_DIR of every host. ${number > 1 ? afterwards(open, ring) : ''}`.trim(),
  }
}

function afterwards(open: DatabaseContext, ring: RingName): string {
  const first = ring === 'seal-records' ? 'Then: ringproof secrets reseal. ' : ''
  return `${first}${restOf(open, ring).words} later: ringproof secrets destroy ${ring} ${everyHost}`
}

async function reseal(open: DatabaseContext): Promise<CommandResult> {
  const resealed = await resealRecords(open, open.actor)
  const { active } = open.recordKeys
  return { json: { resealed, key: active }, text: `Sealed ${resealed} texts anew with seal-records-${active}.key.` }
}

async function destroy(open: DatabaseContext, text: string): Promise<CommandResult> {
  const ring = parseRing(text)
  const { secretsDir } = open.readConfig()
  const keys = listKeys(secretsDir, ring)
  const old = keys.filter(({ state }) => state === 'old')
  const since = keys.find(({ state }) => state === 'active')?.activeSince
  if (old.length === 0 || !since) {
    return { json: { destroyed: [] }, text: `No key of ${ring} was replaced; nothing was destroyed.` }
  }
  const { ms, words } = restOf(open, ring)
  if (!(await hasPassed(open.slots.globalDatabase, new Date(since.getTime() + ms)))) {
    throw new UsageError(
      `the active key of ${ring} is not in use for ${words.toLowerCase()} yet: what the one before has written may still be needed`,
    )
  }
  if (ring === 'seal-records') await refuseWhatIsSealed(open, old)
  destroyKeys(secretsDir, old)
  const destroyed = old.map(({ file }) => file)
  return { json: { destroyed }, text: `Destroyed ${destroyed.join(', ')}. Do the same on every host.` }
}

async function refuseWhatIsSealed(open: DatabaseContext, old: readonly KeyFile[]): Promise<void> {
  const count = await countSealed(
    open,
    old.map(({ number }) => number),
  )
  if (count === 0) return
  throw new UsageError(
    `${count} texts can be opened with ${old.map(({ file }) => file).join(', ')} alone: run \`ringproof secrets reseal\` first`,
  )
}

// How long something may live that was written under a key when another one took its place. A process that was about to
// write then is given as long again.
function restOf(open: DatabaseContext, ring: RingName): { readonly ms: number; readonly words: string } {
  const { verificationDays } = open.readConfig()
  const hour = { ms: 2 * numberLifeSeconds * 1_000, words: 'An hour' }
  const days = verificationDays + 1
  return {
    'seal-numbers': hour,
    'seal-records': hour,
    // A row of a number is forgotten after 34 hours.
    'phone-subscriber': { ms: 35 * 3_600_000, words: '35 hours' },
    'phone-tenant': { ms: days * dayMs, words: `${days} days` },
    'phone-slot': hour,
  }[ring]
}

function parseRing(text: string): RingName {
  const ring = ringNames.find((name) => name === text)
  if (!ring) throw new UsageError(`there is no ring ${text}: rings are ${ringNames.join(', ')}`)
  return ring
}
