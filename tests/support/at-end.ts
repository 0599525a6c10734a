import { after } from 'node:test'

const closings: (() => Promise<unknown>)[] = []

// Runs when the file's tests are over, last registered first: what stands on something else is closed before it.
// node:test runs its own after hooks in the order of registration. To be called beside the tests, never inside one: there a
// hook belongs to that test.
export function atEnd(close: () => Promise<unknown>): void {
  if (closings.length === 0) {
    after(async () => {
      for (const closing of closings.toReversed()) await closing()
    })
  }
  closings.push(close)
}
