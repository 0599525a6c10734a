// A locked account row delays only that account. A batch carries requests of many accounts, and one locked row would make
// all of them wait. So:
//
//   shared    The batch of all accounts. It waits only 100 ms for a lock.
//   single    A shared batch hit a lock. Its accounts are tried one by one, with the same 100 ms each.
//   lane      An account that timed out gets its own lane: one batch at a time, with a longer lock timeout. Shared batches
//             leave out its requests, so other accounts hit its lock only once.
//   shared    again as soon as a batch of the lane is as quick as a healthy one.
//
// The lanes of a database share a few connections, and a lane holds a limited number of requests. Requests above that, and
// requests that wait too long for their turn, are refused.
//
// A lock may also be ours: while the disk stalls, the previous batch holds its account rows and the next batch, started
// beside it, hits them. Then the whole batch is retried once the previous one is done.
//
// Requests that name only a verification are looked up by account, and only while some account has a lane.

import type { AccountId } from '../../domain/core/slot.ts'
import { createClock } from '../../process/clock.ts'
import { type Database, isLockTimeout, lockMs as laneLockMs } from './database.ts'
import { itemsMax, type MicroBatch, microBatch } from './micro-batch.ts'

// Real time, not scaled: these are database timeouts.
const clock = createClock(1)

// Runs a batch with the given lock timeout.
type Run<I, O> = (items: readonly I[], lockMs: number) => Promise<readonly O[]>
// The account of each item; undefined if it has none.
type AccountsOf<I> = (items: readonly I[]) => Accounts | Promise<Accounts>
type Accounts = readonly (AccountId | undefined)[]

type AccountLanes = {
  readonly batch: <I, O>(accountsOf: AccountsOf<NoInfer<I>>, run: Run<I, O>, gatherMs?: number) => MicroBatch<I, O>
}

type Lane = {
  lastUsedMs: number
  waiting: number
  // When one of its batches last timed out on the lock.
  lockedAtMs: number
  // Resolves when the previous batch of the lane is done.
  turn: Promise<void>
}

export const sharedLockMs = 100
// A batch below this met no lock.
const quickMs = 100
// A batch above this is slow for a reason other than a lock; wait for its end for up to stallMs.
const slowMs = 2 * sharedLockMs
const stallMs = 1_000
const laneItemsMax = itemsMax
// Connections, over all kinds of batches.
const singleMax = 2
const lanesMax = 2
// An unused lane is dropped after this; if its account is still locked, it gets a new one.
const forgetMs = 30_000

// The account is locked and cannot take this request.
export class AccountBusy extends Error {}

const known = new WeakMap<Database, AccountLanes>()

// All batches of a database share its lanes.
export function lanesOf(database: Database): AccountLanes {
  const lanes = known.get(database) ?? createAccountLanes()
  known.set(database, lanes)
  return lanes
}

export function createAccountLanes(): AccountLanes {
  const [inSingle, inLane] = [createSemaphore(singleMax), createSemaphore(lanesMax)]
  const state: State = { lanes: new Map(), shared: new Set(), inSingle, inLane }
  return {
    batch: (accountsOf, run, gatherMs) =>
      microBatch(
        (items) =>
          state.lanes.size === 0
            ? batchShared(state, items, accountsOf, run)
            : batchBesideLanes(state, items, accountsOf, run),
        gatherMs,
      ),
  }
}

type State = {
  readonly lanes: Map<AccountId | undefined, Lane>
  // The shared batches in flight, of all kinds.
  readonly shared: Set<{ readonly startedMs: number; readonly done: Promise<unknown> }>
  readonly inSingle: Semaphore
  readonly inLane: Semaphore
}

async function batchShared<I, O>(
  state: State,
  items: readonly I[],
  accountsOf: AccountsOf<I>,
  run: Run<I, O>,
): Promise<Results<O>> {
  try {
    return await runShared(state, items, run)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const accounts = await accountsOf(items)
    const retry = new Set(accounts).size === 1 ? runInLane : trySingle
    return byAccount(items, accounts, (account, own) => retry(state, account, own, run))
  }
}

async function runShared<I, O>(state: State, items: readonly I[], run: Run<I, O>): Promise<readonly O[]> {
  const once = async () => {
    const done = run(items, sharedLockMs)
    const inFlight = { startedMs: clock.monotonicMs(), done }
    state.shared.add(inFlight)
    return done.finally(() => state.shared.delete(inFlight))
  }
  try {
    return await once()
  } catch (error) {
    const slow = [...state.shared].filter(({ startedMs }) => clock.monotonicMs() - startedMs > slowMs)
    if (!isLockTimeout(error) || slow.length === 0) throw error
    const over = new AbortController()
    const ended = Promise.allSettled(slow.map(({ done }) => done)).finally(() => over.abort())
    await Promise.race([ended, clock.sleep(stallMs, over.signal)])
    return once()
  }
}

// Requests of accounts with a lane go through it; the others share a batch.
async function batchBesideLanes<I, O>(
  state: State,
  items: readonly I[],
  accountsOf: AccountsOf<I>,
  run: Run<I, O>,
): Promise<Results<O>> {
  forgetOld(state)
  const accounts = await accountsOf(items)
  const hasLane = accounts.map((account) => account !== undefined && state.lanes.has(account))
  const lanedItems = items.filter((_, index) => hasLane[index])
  const lanedAccounts = accounts.filter((_, index) => hasLane[index])
  const laned = byAccount(lanedItems, lanedAccounts, (account, own) => runInLane(state, account, own, run))
  const shared = items.filter((_, index) => !hasLane[index])
  // A failure of the shared part must not fail the laned part.
  const rest = shared.length === 0 ? Promise.resolve([]) : batchShared(state, shared, accountsOf, run)
  const results = await rest.catch((error: Error) => shared.map(() => Promise.reject(error)))
  const [fromLane, fromShared] = [laned.values(), results.values()]
  return hasLane.map((isLaned) => (isLaned ? fromLane : fromShared).next().value as Results<O>[number])
}

async function trySingle<I, O>(
  state: State,
  account: AccountId | undefined,
  items: readonly I[],
  run: Run<I, O>,
): Promise<readonly O[]> {
  try {
    return await state.inSingle(() => run(items, sharedLockMs))
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return runInLane(state, account, items, run)
  }
}

async function runInLane<I, O>(
  { lanes, inLane }: State,
  account: AccountId | undefined,
  items: readonly I[],
  run: Run<I, O>,
): Promise<readonly O[]> {
  const lane = lanes.get(account) ?? { lastUsedMs: 0, waiting: 0, lockedAtMs: 0, turn: Promise.resolve() }
  lanes.set(account, lane)
  const arrivedMs = clock.monotonicMs()
  lane.lastUsedMs = arrivedMs
  if (lane.waiting + items.length > laneItemsMax) throw new AccountBusy('a locked account has too many requests')
  lane.waiting += items.length
  const before = lane.turn
  const over = Promise.withResolvers<void>()
  lane.turn = over.promise
  try {
    await before
    // A batch before it has timed out on the same lock since it arrived: do not wait for it again.
    if (lane.lockedAtMs > arrivedMs) throw new AccountBusy('the account is locked')
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

function forgetOld({ lanes }: State): void {
  const oldMs = clock.monotonicMs() - forgetMs
  for (const [account, lane] of lanes) if (lane.waiting === 0 && lane.lastUsedMs < oldMs) lanes.delete(account)
}

type Results<O> = readonly (O | Promise<O>)[]

// Runs the items of each account as one batch and returns the promise of each item's result, in the order of the items.
function byAccount<I, O>(
  items: readonly I[],
  accounts: Accounts,
  run: (account: AccountId | undefined, items: readonly I[]) => Promise<readonly O[]>,
): readonly Promise<O>[] {
  const indexesByAccount = Map.groupBy(items.keys(), (index) => accounts[index])
  const results = new Map<number, Promise<O>>()
  for (const [account, own] of indexesByAccount) {
    const done = run(
      account,
      own.map((index) => items[index] as I),
    )
    for (const [nth, index] of own.entries()) {
      const result = done.then((all) => all[nth] as O)
      // The others may take longer. Until they are done, a refusal must not count as unhandled: that ends the process.
      result.catch(() => undefined)
      results.set(index, result)
    }
  }
  return items.map((_, index) => results.get(index) as Promise<O>)
}

type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

// Runs up to max tasks at once. A task that waits longer than laneLockMs is refused.
function createSemaphore(max: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < max) running += 1
    else
      await new Promise<void>((resolve, reject) => {
        const refuse = clock.after(laneLockMs, () => {
          waiting.splice(waiting.indexOf(start), 1)
          reject(new AccountBusy('too many accounts are locked'))
        })
        const start = () => {
          refuse.stop()
          resolve()
        }
        waiting.push(start)
      })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
