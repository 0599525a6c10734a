// The events of a leg as an async iterable. Past events are kept, so that a late listener gets all of them.

import type { LegEvent } from './switch.ts'

type LegEvents = { readonly events: AsyncIterable<LegEvent>; readonly add: (event: LegEvent) => void }

export function createLegEvents(): LegEvents {
  const emitted: LegEvent[] = []
  let changed = Promise.withResolvers<void>()
  async function* events(): AsyncGenerator<LegEvent> {
    for (let at = 0; ; at += 1) {
      while (emitted[at] === undefined) await changed.promise
      const event = emitted[at] as LegEvent
      yield event
      if (event.type === 'ended') return
    }
  }
  return {
    events: { [Symbol.asyncIterator]: events },
    add: (event) => {
      emitted.push(event)
      changed.resolve()
      changed = Promise.withResolvers()
    },
  }
}
