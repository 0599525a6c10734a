// The session cookie. __Host- makes the browser refuse it from a subdomain or over plain HTTP.

const name = '__Host-ringproof'
// Longer than any session: the server decides when one ends.
const maxAgeSeconds = 31 * 24 * 3_600

export function tokenIn(header: string | undefined): string | undefined {
  return valueIn(header, name)
}

// Undefined removes it.
export function sessionCookie(token: string | undefined): string {
  const rest = 'Path=/; Secure; HttpOnly; SameSite=Lax'
  return token === undefined ? `${name}=; Max-Age=0; ${rest}` : `${name}=${token}; Max-Age=${maxAgeSeconds}; ${rest}`
}

export function valueIn(header: string | undefined, wanted: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === wanted && value) return value
  }
  return undefined
}
