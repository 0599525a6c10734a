// Keys are distributed, activated and destroyed; see the head of secrets.ts. Destroying a key is what erases data: after a
// message expires from a stream its disk blocks and copies remain, and they become unreadable only when their key is gone.

import { countSealed, resealRecords } from '../../actions/installation/keys.ts'
import { deleteKeyChecks, readKeyChecks, writeKeyChecks } from '../../db/core/key-check.ts'
import { hasPassed } from '../../db/money/tariff.ts'
import { keyChecks, nameOfKey } from '../../domain/crypto/key-check.ts'
import { days, inEnglish, msOf, ofMs, type Period } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { dayMs } from '../../domain/values/time.ts'
import { wallMs } from '../../process/clock.ts'
import { UsageError } from '../../process/errors.ts'
import {
  activateNextKey,
  addKey,
  destroyKeys,
  type KeyFile,
  keysDue,
  listKeys,
  type RingName,
  readSecrets,
  ringNames,
  rings,
} from '../../process/secrets.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { table } from '../core/table.ts'

const everyHost = '--on-every-host'
// Processes read the directory every ten seconds.
const knownAfterMs = 30_000

export function addSecretCommands(program: CliCommand): void {
  const secrets = program
    .command('secrets')
    .description('Manage the secret keys that seal and hash phone numbers and records.')

  secrets.command('list').description('List the keys of every ring with age, state and next step.').work(list)

  secrets
    .command('add')
    .description('Create the next key of a ring. It can read, but is not used for new data until it is activated.')
    .argument('<ring>', 'ring, as shown by `ringproof secrets list`')
    .work(add)

  secrets
    .command('activate')
    .description('Use the newest key of a ring for new data. The older keys can still read.')
    .argument('<ring>', 'ring to which a key was added')
    .requiredOption(everyHost, 'confirm that the key has been copied to the secrets directory of every host')
    .work(activate)

  secrets
    .command('reseal')
    .description('Re-encrypt all records that were sealed with an older key of seal-records.')
    .work(reseal)

  secrets
    .command('destroy')
    .description('Destroy the replaced keys of a ring. Data sealed with them can never be read again.')
    .argument('<ring>', 'ring whose old keys to destroy')
    .requiredOption(everyHost, 'confirm that the active key and its .active file are on every host')
    .work(destroy)
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const { secretsDir, verificationDays } = open.readConfig()
  const keys = ringNames.flatMap((ring) => listKeys(secretsDir, ring))
  const nowMs = wallMs()
  const due = keysDue(secretsDir, verificationDays, nowMs)
  const todo = [
    ...due.map(
      ({ ring, file }) =>
        `${file} has been active for more than ${verificationDays} days: ringproof secrets add ${ring}`,
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
    throw new UsageError('The key of phone-slot cannot be replaced: it decides which database stores a number.')
  }
  const { secretsDir } = open.readConfig()
  await assertNewest(open, ring, listKeys(secretsDir, ring))
  const file = addKey(secretsDir, ring, open.randomBytes)
  await recordKeys(open, ring, secretsDir)
  return {
    json: { made: file },
    text: `Created ${file}. It is not used for new data yet. Copy it to RINGPROOF_SECRETS_DIR on every host; processes load it within ten seconds, or at once on SIGHUP. After half a minute: ringproof secrets activate ${ring} ${everyHost}`,
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
    throw new UsageError(
      `${next.file} was created less than half a minute ago. Wait until every process has loaded it, then run this again.`,
    )
  }
  // The databases know it first: a process on another host that lacks the key does not start from now on.
  if (next) await recordKeys(open, ring, secretsDir, next.number)
  const { file, number } = activateNextKey(secretsDir, ring)
  return {
    json: { activated: file },
    text: `${file} is active: processes on this host use it within ten seconds, or at once on SIGHUP. Copy ${ring}.active to RINGPROOF_SECRETS_DIR on every host. ${number > 1 ? afterwards(open, ring) : ''}`.trim(),
  }
}

function afterwards(open: DatabaseContext, ring: RingName): string {
  const first = ring === 'seal-records' ? 'Then: ringproof secrets reseal. ' : ''
  const rest = inEnglish(restOf(open, ring))
  return `${first}${rest.charAt(0).toUpperCase()}${rest.slice(1)} later: ringproof secrets destroy ${ring} ${everyHost}`
}

async function reseal(open: DatabaseContext): Promise<CommandResult> {
  const resealed = await resealRecords(open, open.actor)
  const { active } = open.recordKeys
  return { json: { resealed, key: active }, text: `Re-encrypted ${resealed} values with seal-records-${active}.key.` }
}

async function destroy(open: DatabaseContext, text: string): Promise<CommandResult> {
  const ring = parseRing(text)
  const { secretsDir } = open.readConfig()
  const keys = listKeys(secretsDir, ring)
  const old = keys.filter(({ state }) => state === 'old')
  const since = keys.find(({ state }) => state === 'active')?.activeSince
  if (old.length === 0 || !since) {
    return { json: { destroyed: [] }, text: `No key of ${ring} has been replaced; nothing was destroyed.` }
  }
  const rest = restOf(open, ring)
  if (!(await hasPassed(open.slots.globalDatabase, new Date(since.getTime() + msOf(rest))))) {
    throw new UsageError(
      `The active key of ${ring} must be active for ${inEnglish(rest)} first: data written with the previous key may still be needed. Run this again later.`,
    )
  }
  if (ring === 'seal-records') await refuseWhatIsSealed(open, old)
  for (const database of open.slots.databases) await deleteKeyChecks(database, old)
  destroyKeys(secretsDir, old)
  const destroyed = old.map(({ file }) => file)
  return { json: { destroyed }, text: `Destroyed ${destroyed.join(', ')}. Delete the same files on every host.` }
}

async function refuseWhatIsSealed(open: DatabaseContext, old: readonly KeyFile[]): Promise<void> {
  const count = await countSealed(
    open,
    old.map(({ number }) => number),
  )
  if (count === 0) return
  throw new UsageError(
    `${count} values can only be read with ${old.map(({ file }) => file).join(', ')}. Run \`ringproof secrets reseal\` first.`,
  )
}

// How long data written under a replaced key may live. It is doubled for processes that were about to write.
function restOf(open: DatabaseContext, ring: RingName): Period {
  const { verificationDays } = open.readConfig()
  const sealed = ofMs(2 * msOf(retention.callerNumbers.kept))
  return {
    'seal-numbers': sealed,
    'seal-records': sealed,
    'phone-subscriber': retention.subscriberKeys.kept,
    'phone-tenant': days(verificationDays + 1),
    'phone-slot': sealed,
  }[ring]
}

// The same key must not be made twice under one number.
async function assertNewest(open: DatabaseContext, ring: RingName, keys: readonly KeyFile[]): Promise<void> {
  const newest = keys.at(-1)?.number ?? 0
  for (const database of open.slots.databases) {
    const other = (await readKeyChecks(database)).find((known) => known.ring === ring && known.number > newest)
    if (other) throw new UsageError(`${nameOfKey(other)} was added on another host: copy it from there.`)
  }
}

async function recordKeys(open: DatabaseContext, ring: RingName, dir: string, active?: number): Promise<void> {
  const { [ring]: keys } = readSecrets(dir)
  const checks = keyChecks({ [ring]: { ...keys, active: active ?? keys.active } })
  for (const database of open.slots.databases) await writeKeyChecks(database, checks)
}

function parseRing(text: string): RingName {
  const ring = ringNames.find((name) => name === text)
  if (!ring) throw new UsageError(`Unknown key ring: ${text}. Use one of ${ringNames.join(', ')}.`)
  return ring
}
