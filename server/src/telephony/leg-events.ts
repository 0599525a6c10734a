// The legEvents of a leg, as its listeners read it. What has happened is kept, so that nobody who listens late misses the
// beginning.

import type { LegEvent } from './switch.ts'

export type LegEvents = { readonly events: AsyncIterable<LegEvent>; readonly add: (event: LegEvent) => void }

export function createLegEvents(): LegEvents {
  const told: LegEvent[] = []
  let news = Promise.withResolvers<void>()
  async function* events(): AsyncGenerator<LegEvent> {
    for (let at = 0; ; at += 1) {
      while (told[at] === undefined) await news.promise
      const event = told[at] as LegEvent
      yield event
      if (event.type === 'ended') return
    }
  }
  return {
    events: { [Symbol.asyncIterator]: events },
    add: (event) => {
      told.push(event)
      news.resolve()
      news = Promise.withResolvers()
    },
  }
}
