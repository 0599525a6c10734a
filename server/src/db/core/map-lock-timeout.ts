import { unavailable } from '../../process/errors.ts'
import { AccountBusy } from './account-lanes.ts'
import { isNotDone, isOutOfRoom, isRolledBack, isUnanswered, movingSlotOf } from './database.ts'
import { isClockRefusal } from './database-clock.ts'

// Turns expected database failures into the refusal `unavailable`: a lock timeout, a database that cannot be reached, a full
// disk, a clock that jumped, a slot that moves. Nothing was written in any of these cases, so a retry is safe.
export async function mapLockTimeout<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isOutOfRoom(error)) throw unavailable('database_full', { cause: error })
    if (isClockRefusal(error)) throw unavailable('clock_ahead', { cause: error })
    if (movingSlotOf(error) !== undefined) throw unavailable('slot_moving', { cause: error })
    if (error instanceof AccountBusy) throw unavailable('account_busy', { cause: error })
    if (!isNotDone(error)) throw error
    throw unavailable(isRolledBack(error) ? 'database_busy' : 'database_down', { cause: error })
  }
}

// The same, and also for a lost response. That is safe for reads and for starts of calls. If the start was written after all,
// no process dispatches it: the sweep ends it within ten seconds and releases its hold, and a retry with the same `unique`
// finds it. An inbound request whose number nobody was given expires uncalled. It is not safe for a charge that cannot be
// undone.
export async function unlessSilent<T>(work: Promise<T>): Promise<T> {
  try {
    return await mapLockTimeout(work)
  } catch (error) {
    throw isUnanswered(error) ? unavailable('database_down', { cause: error }) : error
  }
}
