import { channel } from 'node:diagnostics_channel'
import { after } from 'node:test'

// True before each step of the cleanup of a file, false when it is over.
export const cleanupChannel = 'ringproof.test-cleanup'

const closings: (() => Promise<unknown>)[] = []

// Runs after the tests of the file, last registered first: a resource is closed before those it depends on. node:test
// runs its own after hooks in the order of registration. Call it outside the tests: inside one, a hook belongs to that
// test.
export function atEnd(close: () => Promise<unknown>): void {
  if (closings.length === 0) {
    after(async () => {
      for (const closing of closings.toReversed()) {
        channel(cleanupChannel).publish(true)
        await closing()
      }
      channel(cleanupChannel).publish(false)
    })
  }
  closings.push(close)
}
