// How a setting is printed: without what would open a door.

const hidden = '***'

export const printedForms: Readonly<Record<string, (text: string) => string>> = {
  RINGPROOF_PUBLIC_URL: withoutCredentials,
  RINGPROOF_DATABASE_URL: withoutCredentials,
  RINGPROOF_DATABASE_OWNER_URL: withoutCredentials,
  RINGPROOF_SHARD_URLS: eachWithoutCredentials(' '),
  RINGPROOF_SHARD_OWNER_URLS: eachWithoutCredentials(' '),
  RINGPROOF_NATS_URL: eachWithoutCredentials(','),
  RINGPROOF_ARI_URL: withoutCredentials,
  RINGPROOF_ARI_PASSWORD: (text) => (text === '' ? '' : hidden),
}

// Scheme, user, host, port and path. Parameters may hold a password, and what is no URL may be anything.
function withoutCredentials(text: string): string {
  if (text === '') return ''
  if (!URL.canParse(text) || !/^[a-z]+:\/\//.test(text)) return hidden
  const { protocol, username, password, host, pathname, search, hash } = new URL(text)
  // Some signs in a password end the host before its time; the rest of the password then stands behind it.
  if (`${pathname}${search}${hash}`.includes('@')) return hidden
  return `${protocol}//${printedUser(protocol, username, password)}${host}${pathname.replace(/^\/$/, '')}`
}

function printedUser(protocol: string, username: string, password: string): string {
  if (password !== '') return `${username}:${hidden}@`
  if (username === '') return ''
  // NATS takes a user without a password for a token.
  return `${protocol.startsWith('postgres') ? username : hidden}@`
}

// With one item unreadable nobody knows where the others end.
function eachWithoutCredentials(separator: string): (text: string) => string {
  return (text) => {
    const items = text.split(separator).map((item) => {
      const [, range = '', address = ''] = /^(\d+(?:-\d+)?=)?(.*)$/s.exec(item.trim()) ?? []
      return [range, withoutCredentials(address)] as const
    })
    return items.some(([, address]) => address === hidden) ? hidden : items.map((item) => item.join('')).join(separator)
  }
}
