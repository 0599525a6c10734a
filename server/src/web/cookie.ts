// The cookie of a session, the one of a browser that has signed somebody up, and the one of a browser that has signed somebody in
// before. __Host- makes the browser refuse them from a
// subdomain or over plain HTTP.

import { browserSeconds } from '../actions/people/sign-in.ts'
import { customerLimits, linkLife } from '../domain/people/session.ts'
import { secondsOf } from '../domain/values/period.ts'
import { daySeconds } from '../domain/values/time.ts'

const name = '__Host-ringproof'
const signUpName = '__Host-ringproof-sign-up'
const browserName = '__Host-ringproof-browser'
// Longer than any session: the server decides when one ends.
const maxAgeSeconds = customerLimits.ageSeconds + daySeconds
// As long as the link of the confirmation.
const signUpSeconds = secondsOf(linkLife['sign-up'])

export function tokenIn(header: string | undefined): string | undefined {
  return valueIn(header, name)
}

// Undefined removes it.
export function sessionCookie(token: string | undefined): string {
  return cookie(name, token, maxAgeSeconds)
}

export function signUpTokenIn(header: string | undefined): string | undefined {
  return valueIn(header, signUpName)
}

export function signUpCookie(token: string | undefined): string {
  return cookie(signUpName, token, signUpSeconds)
}

export function browsersIn(header: string | undefined): string | undefined {
  return valueIn(header, browserName)
}

export function browserCookie(value: string): string {
  return cookie(browserName, value, browserSeconds)
}

function cookie(wanted: string, value: string | undefined, seconds: number): string {
  const rest = 'Path=/; Secure; HttpOnly; SameSite=Lax'
  return value === undefined ? `${wanted}=; Max-Age=0; ${rest}` : `${wanted}=${value}; Max-Age=${seconds}; ${rest}`
}

export function valueIn(header: string | undefined, wanted: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === wanted && value) return value
  }
  return undefined
}
