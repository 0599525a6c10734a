import { isLockTimeout, isOutOfRoom } from '../db/database.ts'
import { isClockRefusal } from '../db/database-clock.ts'
import { Refusal } from '../errors.ts'

// A row that others hold for too long is no fault of ours: nothing was written, and it may go well in a moment. Nor is a
// full disk, which heals once there is room, or a clock that jumped: then nothing starts until an operator has looked at it.
export async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isLockTimeout(error)) throw new Refusal('cannotStart', {}, 1, { cause: error })
    if (isOutOfRoom(error)) throw new Refusal('cannotStart', {}, 5, { cause: error })
    throw isClockRefusal(error) ? new Refusal('cannotStart', {}, 60, { cause: error }) : error
  }
}
