// Calls that come in: what the dialplan of deploy/asterisk/extensions.conf says of each, made into the port's words.

import type { AriEvent, AriLine } from './asterisk-line.ts'
import { trunkOfInbound } from './asterisk-trunks.ts'
import { userOf, userOfAll } from './sip-identity.ts'
import type { InboundCall } from './switch.ts'

export type Inbound = {
  readonly calls: AsyncIterable<InboundCall>
  // True when the event was about a call that came in.
  readonly hear: (event: AriEvent, request: AriLine['request']) => boolean
  readonly close: () => void
}

// Q.850 causes, and the SIP status that Asterisk makes of each.
const causes = { 486: '17', 404: '1' } as const

// What the dialplan says of a call, with its first and its last word.
const argumentCount = 9

export function openInbound(node: string): Inbound {
  const waiting: InboundCall[] = []
  let news = Promise.withResolvers<void>()
  let isClosed = false
  const tellNews = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  async function* calls(): AsyncGenerator<InboundCall> {
    for (;;) {
      const call = waiting.shift()
      if (call) yield call
      else if (isClosed) return
      else await news.promise
    }
  }
  return {
    calls: { [Symbol.asyncIterator]: calls },
    hear: (event, request) => {
      if (event.type !== 'StasisStart' || event.args?.[0] !== 'incoming') return false
      const call = inboundCall(event, request)
      if (call && !isClosed) waiting.push(call)
      // Nobody will look after it, so its caller must not wait.
      else refuse(event, request)
      tellNews()
      return true
    },
    close: () => {
      isClosed = true
      tellNews()
    },
  }

  function inboundCall({ channel, args = [] }: AriEvent, request: AriLine['request']): InboundCall | undefined {
    const trunk = trunkOfInbound(channel?.name ?? '')
    if (!channel || trunk === undefined || channel.id.startsWith(`${node}.`)) return undefined
    // A header of some thousand letters cuts off what comes after it, and must not hide it.
    if (args.length !== argumentCount || args.at(-1) !== 'end') return undefined
    const [called = '', from = '', paiNames = '', pai = '', secondPai = '', privacy = '', divertedBy = ''] = args
      .slice(1, -1)
      .map(decoded)
    const asserted = assertedIn(paiNames, [pai, secondPai])
    const act = async (method: 'POST' | 'DELETE', path: string, query = {}) => {
      // The caller may have hung up meanwhile, and a line that is down has nobody to tell.
      await request({ method, path: `channels/${channel.id}${path}`, query }).catch(() => undefined)
    }
    return {
      channelId: channel.id,
      trunk,
      called,
      from: userOf(from),
      asserted,
      isWithheld: /\b(id|user|header|session)\b/i.test(privacy) || /anonymous/i.test(userOf(from)),
      divertedBy: divertedBy === '' ? undefined : divertedBy,
      ring: () => act('POST', '/ring'),
      reject: (status) => void act('DELETE', '', { reason_code: causes[status] }),
    }
  }
}

function refuse({ channel }: AriEvent, request: AriLine['request']): void {
  const query = { reason_code: causes[486] }
  request({ method: 'DELETE', path: `channels/${channel?.id}`, query }).catch(() => undefined)
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString()
}

// Asterisk names every header that begins like this one. More than two say nothing that we could have read whole.
function assertedIn(names: string, values: readonly string[]): string | undefined {
  const count = names.split(',').filter((name) => name.trim().toLowerCase() === 'p-asserted-identity').length
  return count > values.length ? '' : userOfAll(values.slice(0, count))
}
