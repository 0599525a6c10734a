import { AccountBusy } from '../db/account-lanes.ts'
import { isNotDone, isOutOfRoom, isUnanswered } from '../db/database.ts'
import { isClockRefusal } from '../db/database-clock.ts'
import { Refusal } from '../errors.ts'

const retryAfterSeconds = 1

// Rows that others hold for too long, and a database that cannot be asked, are no fault of ours: nothing was written, and it
// may go well in a moment. Nor is a full disk, which heals once there is room, or a clock that jumped: then nothing starts until
// an operator has looked at it.
export async function mapLockTimeout<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isOutOfRoom(error)) throw new Refusal('unavailable', {}, 5, { cause: error })
    if (isClockRefusal(error)) throw new Refusal('unavailable', {}, 60, { cause: error })
    if (!(error instanceof AccountBusy || isNotDone(error))) throw error
    throw new Refusal('unavailable', {}, retryAfterSeconds, { cause: error })
  }
}

// The same for work whose response may be lost, where that is safe: reads, and starts of calls. A start that was written after
// all is dispatched by nobody, because only its request could have: the sweep ends it within ten seconds and releases its
// hold, and a retry with the same `unique` finds it. A charge that cannot be taken back is not safe.
export async function unlessSilent<T>(work: Promise<T>): Promise<T> {
  try {
    return await mapLockTimeout(work)
  } catch (error) {
    throw isUnanswered(error) ? new Refusal('unavailable', {}, retryAfterSeconds, { cause: error }) : error
  }
}
