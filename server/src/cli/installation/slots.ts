import { cancelMove, type MoveDeps, moveSlot, type PlacedDatabase } from '../../actions/installation/move-slot.ts'
import { type ListedDatabase, listSlots } from '../../actions/installation/setup.ts'
import { logAction } from '../../db/core/action-log.ts'
import { connect, jobDeadlines, nameOf } from '../../db/core/database.ts'
import { distinctDatabases } from '../../domain/core/database-address.ts'
import { globalSlot, type Slot, slotCount } from '../../domain/core/slot.ts'
import { createClock } from '../../process/clock.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'

export function addSlotCommands(program: CliCommand): void {
  const slots = program
    .command('slots')
    .description('Manage the 64 slots of accounts and numbers, and which database each lives in.')

  slots
    .command('list')
    .description('List the databases with their slots, and the moves that are not finished.')
    .work(list)

  slots
    .command('move')
    .argument('<slot>', 'a slot from 1 to 63')
    .description(
      'Move a slot to another database while it serves. Its calls wait for less than a second. Run it again if it was interrupted.',
    )
    .option('--to <database>', 'where to, as `ringproof slots list` names it')
    .option('--cancel', 'end a move that has not switched yet: the slot stays where it is, and its copy is deleted')
    .work(moveOrCancel)
}

async function moveOrCancel(
  open: DatabaseContext,
  text: string,
  { to, cancel: isCancel }: { to?: string; cancel?: true },
): Promise<CommandResult> {
  if ((to === undefined) === (isCancel === undefined)) throw new UsageError('Give either --to or --cancel.')
  return to === undefined ? cancel(open, text) : move(open, text, to)
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const databases = await listSlots(open)
  return { json: databases, text: databases.map(linesOf).join('\n') }
}

function linesOf({ name, slots, moves }: ListedDatabase): string {
  const lines = moves.map(({ slot, state, peer }) => `  slot ${slot}: ${sentences[state]} ${peer}`)
  return [`${name}: ${slots.length === 0 ? 'no slots' : `slots ${rangesOf(slots)}`}`, ...lines].join('\n')
}

const sentences = {
  copying: 'is being copied to',
  frozen: 'is being copied to',
  moved: 'rows are still to be deleted; it lives in',
  arriving: 'arrives from',
  here: 'came from',
} as const

async function move(open: DatabaseContext, text: string, to: string): Promise<CommandResult> {
  const slot = parseSlot(text)
  const done = await withOwners(open, async (owners) => {
    const target = owners.find(({ name }) => name === to)
    const names = owners.map(({ name }) => name).join(', ')
    if (!target)
      throw new UsageError(`There is no database ${to}. There are: ${names}. Name new ones in RINGPROOF_SHARD_URLS.`)
    const source = await sourceOf(open, owners, slot, to)
    if (source === target) throw new UsageError(`Slot ${slot} lives in ${to} already.`)
    const moved = await moveSlot(depsOf(open, source, target), slot)
    const details = { slot, from: source.name, to }
    await logAction(open.slots.globalDatabase, open.actor, { accountId: null, action: 'slot moved', details })
    return { ...details, ...moved }
  })
  const frozen = done.frozenMs === undefined ? '' : ` It was frozen for ${Math.round(done.frozenMs)} ms.`
  return { json: done, text: `Slot ${slot} has moved from ${done.from} to ${to}.${frozen}` }
}

async function cancel(open: DatabaseContext, text: string): Promise<CommandResult> {
  const slot = parseSlot(text)
  await withOwners(open, async (owners) => {
    const unfinished = (await listSlots(open)).find(({ moves }) =>
      moves.some((one) => one.slot === slot && one.state !== 'arriving'),
    )
    const source = owners.find(({ name }) => name === unfinished?.name)
    const target = owners.find(({ name }) => name === unfinished?.moves.find((one) => one.slot === slot)?.peer)
    if (!source || !target) throw new UsageError(`Slot ${slot} is not moving.`)
    await cancelMove(depsOf(open, source, target), slot)
  })
  return { json: { slot }, text: `Slot ${slot} stays where it is.` }
}

// Where an interrupted move began, or else where the slot lives.
async function sourceOf(
  open: DatabaseContext,
  owners: readonly PlacedDatabase[],
  slot: Slot,
  to: string,
): Promise<PlacedDatabase> {
  const unfinished = (await listSlots(open)).find(({ moves }) =>
    moves.some((one) => one.slot === slot && one.peer === to && one.state !== 'arriving'),
  )
  const name = unfinished?.name ?? nameOf(open.slots.databaseOf(slot))
  const source = owners.find((owner) => owner.name === name)
  if (!source) throw new UsageError(`RINGPROOF_SHARD_OWNER_URLS does not name ${name}.`)
  return source
}

function depsOf(open: DatabaseContext, source: PlacedDatabase, target: PlacedDatabase): MoveDeps {
  return { source, target, clock: createClock(1), report: open.note }
}

// Triggers and policies belong to the owner of the tables.
async function withOwners<T>(
  open: DatabaseContext,
  work: (owners: readonly PlacedDatabase[]) => Promise<T>,
): Promise<T> {
  const { slotOwnerUrls } = open.readConfig()
  if (!slotOwnerUrls)
    throw new UsageError(
      'RINGPROOF_SHARD_OWNER_URLS is not set. Set it to the logins that own the tables, as for `ringproof migrate`.',
    )
  const owners = [...distinctDatabases(slotOwnerUrls.values()).values()].map((url) => {
    const database = connect(url, jobDeadlines)
    return { name: nameOf(database), database }
  })
  try {
    return await work(owners)
  } finally {
    await Promise.all(owners.map(({ database }) => database.end()))
  }
}

function parseSlot(text: string): Slot {
  const slot = Number(text)
  if (!/^\d{1,2}$/.test(text) || slot >= slotCount)
    throw new UsageError(`Invalid slot: ${text}. Slots go from 1 to 63.`)
  if (slot === globalSlot)
    throw new UsageError('Slot 0 stays where it is: its database keeps what belongs to no account.')
  return slot as Slot
}

// 1-3, 7
function rangesOf(slots: readonly Slot[]): string {
  const ranges: { first: Slot; last: number }[] = []
  for (const slot of slots) {
    const range = ranges.at(-1)
    if (range?.last === slot - 1) range.last = slot
    else ranges.push({ first: slot, last: slot })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}
