// What an INVITE of a carrier says about its caller. Nothing is guessed: what cannot be read, or is said twice in different ways, is
// empty. An INVITE that is longer than any carrier's, or whose headers about the caller are, is not read at all.

import type { SpelledCall } from '../../domain/verifications/inbound-call.ts'
import { isWithheld, userOf, userOfAll } from './identity.ts'

type ReadInvite = Pick<SpelledCall, 'called' | 'from' | 'asserted' | 'isWithheld' | 'divertedBy' | 'replyPath'>

const longNames: ReadonlyMap<string, string> = new Map([
  ['f', 'from'],
  ['v', 'via'],
])

const inviteBytesMax = 8_192
const headerCharsMax = 1_024
// Via says where the call came from, so that a long one is counted as what it is.
const aboutCaller: ReadonlySet<string> = new Set(['from', 'p-asserted-identity', 'privacy', 'diversion'])

export function readInvite(text: string): ReadInvite | undefined {
  if (text.length > inviteBytesMax) return undefined
  const [head = ''] = text.split(/\r?\n\r?\n/, 1)
  // A line that starts with a space continues the one before it.
  const [first = '', ...lines] = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const uri = /^INVITE (\S+) SIP\/2\.0$/.exec(first)?.[1]
  if (uri === undefined) return undefined
  if (lines.some((line) => line.length > headerCharsMax && aboutCaller.has(nameOf(line)))) return undefined
  const values = (name: string) => lines.filter((line) => nameOf(line) === name).map(valueOf)
  const from = values('from').length === 1 ? userOf(values('from')[0] ?? '') : ''
  return {
    called: userOf(uri),
    from,
    asserted: userOfAll(values('p-asserted-identity')),
    isWithheld: isWithheld(values('privacy').join(','), from),
    divertedBy: userOfAll(values('diversion')),
    replyPath: replyPathOf(values('via')),
  }
}

function replyPathOf(vias: readonly string[]): ReadInvite['replyPath'] {
  const all = vias.join(',')
  if (/;\s*maddr\s*=/i.test(all)) return 'maddr'
  return all.includes(',') ? 'relayed' : 'direct'
}

function nameOf(line: string): string {
  const name = line.slice(0, line.indexOf(':')).trim().toLowerCase()
  return longNames.get(name) ?? name
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim()
}
