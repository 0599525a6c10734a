// How a setting is printed without its secrets.

import { eachHost, hostsOf } from '../../domain/core/database-address.ts'

const hidden = '***'

export function redacted(text: string): string {
  return text === '' ? '' : hidden
}

// Scheme, user, hosts, ports and path. Parameters may hold a password, and a text that is not a URL may be anything.
export function withoutCredentials(text: string): string {
  if (text === '') return ''
  const each = eachHost(text)
  const [first = ''] = each
  if (!each.every((one) => URL.canParse(one)) || !/^[a-z]+:\/\//.test(text)) return hidden
  const { protocol, username, password, pathname, search, hash } = new URL(first)
  // Some characters of a password end the host too early; the rest of the password then follows it.
  if (`${pathname}${search}${hash}`.includes('@')) return hidden
  return `${protocol}//${printedUser(protocol, username, password)}${hostsOf(text)}${pathname.replace(/^\/$/, '')}`
}

// If one item cannot be read, it is not known where the others end.
export function eachWithoutCredentials(separator: string): (text: string) => string {
  return (text) => {
    const items = text.split(separator).map((item) => {
      const [, range = '', address = ''] = /^((?:\d+(?:-\d+)?|spare)=)?(.*)$/s.exec(item.trim()) ?? []
      return [range, withoutCredentials(address)] as const
    })
    return items.some(([, address]) => address === hidden) ? hidden : items.map((item) => item.join('')).join(separator)
  }
}

function printedUser(protocol: string, username: string, password: string): string {
  if (password !== '') return `${username}:${hidden}@`
  if (username === '') return ''
  // To NATS a user without a password is a token.
  return `${protocol.startsWith('postgres') ? username : hidden}@`
}
