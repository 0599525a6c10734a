import { isLockTimeout } from '../db/database.ts'
import { Refusal } from '../errors.ts'

// A row that others hold for too long is no fault of ours: nothing was written, and it may go well in a moment.
export async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isLockTimeout(error) ? new Refusal('cannotStart', {}, 1, { cause: error }) : error
  }
}
