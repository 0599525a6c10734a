// One account that is locked costs that account alone. Batches carry requests of many accounts, and one row that somebody
// else holds would make all of them wait. So:
//
//   shared    The batch of everybody. It waits for a lock for a moment only.
//   apart     A shared batch met a lock. Its accounts are tried one by one, each for the same moment; those that get
//             through are done.
//   lane      An account that did not get through has a lane of its own: one batch at a time, which waits longer. Shared
//             batches leave its requests out, so that its neighbours meet its lock once.
//   shared    again as soon as a batch of its lane gets through as quickly as a healthy one.
//
// All lanes of a database together may have few connections, and a lane few requests: what comes on top is refused, and so
// is what waited too long for its turn.
//
// Not every lock is somebody else's. While the disk stalls, the batch before holds the rows of its accounts, and the next one,
// which has left beside it, meets them: then it is tried again, together, once that one is done.
//
// Requests that name a verification only are looked up by account, and only while some account has a lane.

import { createClock } from '../clock.ts'
import type { AccountId } from '../domain/slot.ts'
import { type Database, isLockTimeout, lockMs as laneLockMs } from './database.ts'
import { itemsMax, type MicroBatch, microBatch } from './micro-batch.ts'

// Databases keep real time, whatever the scale of the product's.
const clock = createClock(1)

// Runs a batch that waits for a lock for so long at most.
type Run<I, O> = (items: readonly I[], lockMs: number) => Promise<readonly O[]>
// The account of each item; undefined where there is none.
type AccountsOf<I> = (items: readonly I[]) => Accounts | Promise<Accounts>
type Accounts = readonly (AccountId | undefined)[]

export type AccountLanes = {
  readonly batch: <I, O>(accountsOf: AccountsOf<NoInfer<I>>, run: Run<I, O>) => MicroBatch<I, O>
}

type Lane = {
  lastUsedMs: number
  waiting: number
  // When one of its batches last waited for the lock in vain.
  lockedAtMs: number
  // Resolves when what is before it in the lane is over.
  turn: Promise<void>
}

export const sharedLockMs = 100
// Of a batch that met no lock.
const quickMs = 100
// Of a batch that is slow for another reason than a lock, and for how long its end is waited for.
const slowMs = 2 * sharedLockMs
const stallMs = 1_000
const laneItemsMax = itemsMax
// Connections that they may have, over all kinds of batches.
const apartMax = 2
const lanesMax = 2
// A lane that nobody used for so long is forgotten; if its account is still locked, that is found out again.
const forgetMs = 30_000

// A locked account has as many requests waiting as it may have.
export class AccountBusy extends Error {}

const known = new WeakMap<Database, AccountLanes>()

// All batches of a database share its lanes.
export function lanesOf(database: Database): AccountLanes {
  const lanes = known.get(database) ?? createAccountLanes()
  known.set(database, lanes)
  return lanes
}

export function createAccountLanes(): AccountLanes {
  const [apart, inLane] = [createTurnstile(apartMax), createTurnstile(lanesMax)]
  const field: Field = { lanes: new Map(), shared: new Set(), apart, inLane }
  return {
    batch: (accountsOf, run) =>
      microBatch((items) =>
        field.lanes.size === 0 ? together(field, items, accountsOf, run) : besideLanes(field, items, accountsOf, run),
      ),
  }
}

type Field = {
  readonly lanes: Map<AccountId | undefined, Lane>
  // The shared batches under way, of all kinds.
  readonly shared: Set<{ readonly startedMs: number; readonly done: Promise<unknown> }>
  readonly apart: Turnstile
  readonly inLane: Turnstile
}

async function together<I, O>(
  field: Field,
  items: readonly I[],
  accountsOf: AccountsOf<I>,
  run: Run<I, O>,
): Promise<Results<O>> {
  try {
    return await runShared(field, items, run)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const accounts = await accountsOf(items)
    const go = new Set(accounts).size === 1 ? throughLane : tryApart
    return byAccount(items, accounts, (account, own) => go(field, account, own, run))
  }
}

async function runShared<I, O>(field: Field, items: readonly I[], run: Run<I, O>): Promise<readonly O[]> {
  const once = async () => {
    const done = run(items, sharedLockMs)
    const inFlight = { startedMs: clock.monotonicMs(), done }
    field.shared.add(inFlight)
    return done.finally(() => field.shared.delete(inFlight))
  }
  try {
    return await once()
  } catch (error) {
    const slow = [...field.shared].filter(({ startedMs }) => clock.monotonicMs() - startedMs > slowMs)
    if (!isLockTimeout(error) || slow.length === 0) throw error
    const over = new AbortController()
    const ended = Promise.allSettled(slow.map(({ done }) => done)).finally(() => over.abort())
    await Promise.race([ended, clock.sleep(stallMs, over.signal)])
    return once()
  }
}

// Requests of accounts that have a lane go through it, the others together.
async function besideLanes<I, O>(
  field: Field,
  items: readonly I[],
  accountsOf: AccountsOf<I>,
  run: Run<I, O>,
): Promise<Results<O>> {
  forgetOld(field)
  const accounts = await accountsOf(items)
  const isApart = accounts.map((account) => account !== undefined && field.lanes.has(account))
  const own = items.filter((_, place) => isApart[place])
  const ownAccounts = accounts.filter((_, place) => isApart[place])
  const laned = byAccount(own, ownAccounts, (account, its) => throughLane(field, account, its, run))
  const shared = items.filter((_, place) => !isApart[place])
  // The failure of one part is not the other's.
  const rest = shared.length === 0 ? Promise.resolve([]) : together(field, shared, accountsOf, run)
  const results = await rest.catch((error: Error) => shared.map(() => Promise.reject(error)))
  const [fromLane, fromShared] = [laned.values(), results.values()]
  return isApart.map((isOwn) => (isOwn ? fromLane : fromShared).next().value as Results<O>[number])
}

async function tryApart<I, O>(
  field: Field,
  account: AccountId | undefined,
  items: readonly I[],
  run: Run<I, O>,
): Promise<readonly O[]> {
  try {
    return await field.apart(() => run(items, sharedLockMs))
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return throughLane(field, account, items, run)
  }
}

async function throughLane<I, O>(
  { lanes, inLane }: Field,
  account: AccountId | undefined,
  items: readonly I[],
  run: Run<I, O>,
): Promise<readonly O[]> {
  const lane = lanes.get(account) ?? { lastUsedMs: 0, waiting: 0, lockedAtMs: 0, turn: Promise.resolve() }
  lanes.set(account, lane)
  const cameMs = clock.monotonicMs()
  lane.lastUsedMs = cameMs
  if (lane.waiting + items.length > laneItemsMax) throw new AccountBusy('a locked account has too many requests')
  lane.waiting += items.length
  const before = lane.turn
  const over = Promise.withResolvers<void>()
  lane.turn = over.promise
  try {
    await before
    // What was waiting while another batch waited in vain need not wait for the same lock again.
    if (lane.lockedAtMs > cameMs) throw new AccountBusy('the account is locked')
    return await inLane(async () => {
      const startedMs = clock.monotonicMs()
      const results = await run(items, laneLockMs)
      if (clock.monotonicMs() - startedMs < quickMs) lanes.delete(account)
      return results
    })
  } catch (error) {
    if (isLockTimeout(error)) lane.lockedAtMs = clock.monotonicMs()
    throw error
  } finally {
    lane.waiting -= items.length
    over.resolve()
  }
}

function forgetOld({ lanes }: Field): void {
  const oldMs = clock.monotonicMs() - forgetMs
  for (const [account, lane] of lanes) if (lane.waiting === 0 && lane.lastUsedMs < oldMs) lanes.delete(account)
}

type Results<O> = readonly (O | Promise<O>)[]

// Runs the items of each account by themselves, and gives back the promise of each item's result, in the items' order.
function byAccount<I, O>(
  items: readonly I[],
  accounts: Accounts,
  run: (account: AccountId | undefined, items: readonly I[]) => Promise<readonly O[]>,
): readonly Promise<O>[] {
  const places = Map.groupBy(items.keys(), (place) => accounts[place])
  const results = new Map<number, Promise<O>>()
  for (const [account, own] of places) {
    const done = run(
      account,
      own.map((place) => items[place] as I),
    )
    for (const [nth, place] of own.entries())
      results.set(
        place,
        done.then((all) => all[nth] as O),
      )
  }
  return items.map((_, place) => results.get(place) as Promise<O>)
}

type Turnstile = <T>(work: () => Promise<T>) => Promise<T>

// Lets so many through at once. Whoever would wait for longer than a lock may be waited for is refused.
function createTurnstile(places: number): Turnstile {
  const waiting: (() => void)[] = []
  let taken = 0
  return async (work) => {
    if (taken < places) taken += 1
    else
      await new Promise<void>((resolve, reject) => {
        const refuse = clock.after(laneLockMs, () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(new AccountBusy('too many accounts are locked'))
        })
        const enter = () => {
          refuse.stop()
          resolve()
        }
        waiting.push(enter)
      })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else taken -= 1
    }
  }
}
