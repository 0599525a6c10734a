// Passkeys, checked by SimpleWebAuthn. The library is loaded when the first passkey is used: most processes never need it.

import type { Passkey } from '../db/people/second-factor.ts'
import type { CheckedPasskey, CheckPasskey } from '../domain/people/passkey.ts'

type Site = { readonly origin: string; readonly host: string }

const timeoutMs = 60_000

// Where browsers know us: a passkey belongs to the name of the host.
export function siteOf(publicUrl: string, hostHeader: string | undefined): Site {
  if (publicUrl.startsWith('https:')) return { origin: new URL(publicUrl).origin, host: new URL(publicUrl).hostname }
  const origin = `http://${hostHeader ?? 'localhost'}`
  return { origin, host: new URL(origin).hostname }
}

export async function registrationOptions(
  { host }: Site,
  installation: string,
  user: { readonly id: number; readonly email: string },
  challenge: Uint8Array,
  known: readonly Pick<Passkey, 'id'>[],
): Promise<unknown> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: installation,
    rpID: host,
    userName: user.email,
    userID: Buffer.from(`user-${user.id}`),
    challenge: Buffer.from(challenge),
    timeout: timeoutMs,
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
}

// Without known passkeys the browser offers every passkey that it has for this site.
export async function requestOptions(
  { host }: Site,
  challenge: Uint8Array,
  known: readonly Pick<Passkey, 'id' | 'transports'>[],
): Promise<unknown> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: host,
    challenge: Buffer.from(challenge),
    timeout: timeoutMs,
    userVerification: 'required',
    ...(known.length > 0 ? { allowCredentials: known.map(({ id }) => ({ id })) } : {}),
  })
}

// Undefined if the response is not what this site asked for.
export async function checkRegistration(
  { origin, host }: Site,
  response: unknown,
  isChallenge: (challenge: string) => Promise<boolean>,
): Promise<CheckedPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: isChallenge,
      expectedOrigin: origin,
      expectedRPID: host,
    })
    if (!registrationInfo) return undefined
    const { id, publicKey, counter, transports } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey), counter, transports: transports ?? [] }
  } catch {
    return undefined
  }
}

export function checkAssertion({ origin, host }: Site, response: unknown): CheckPasskey {
  return {
    id: idIn(response),
    verify: async (passkey, isChallenge) => {
      const { verifyAuthenticationResponse } = await library()
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
          expectedChallenge: isChallenge,
          expectedOrigin: origin,
          expectedRPID: host,
          credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
        })
        return verified ? authenticationInfo.newCounter : undefined
      } catch {
        return undefined
      }
    },
  }
}

function idIn(response: unknown): string {
  return typeof response === 'object' && response !== null && 'id' in response ? String(response.id) : ''
}

function library() {
  return import('@simplewebauthn/server')
}
