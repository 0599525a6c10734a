// A passkey without a device: signs challenges as an authenticator does that has checked its user.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type SoftPasskey = {
  readonly id: string
  readonly register: (base: string, challenge: string) => unknown
  readonly assert: (base: string, challenge: string) => unknown
}

export function createSoftPasskey(): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  // COSE, a map of five: EC2 key, ES256, P-256, x, y.
  const cose = [hex('a5010203262001215820'), Buffer.from(x, 'base64url'), hex('225820'), Buffer.from(y, 'base64url')]
  return {
    id,
    register: (base, challenge) => {
      const { origin, hostname } = new URL(base)
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }))
      // Present, verified and with a credential of an unnamed model.
      const data = Buffer.concat([sha256(hostname), hex('4500000000'), Buffer.alloc(16), hex('0010'), rawId, ...cose])
      // CBOR: {fmt: "none", attStmt: {}, authData: data}
      const start = hex('a363666d74646e6f6e656761747453746d74a0686175746844617461')
      const attestation = Buffer.concat([start, Buffer.from([0x58, data.length]), data])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    assert: (base, challenge) => {
      const { origin, hostname } = new URL(base)
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
      // Present and verified; the counter stays zero, as with passkeys that are synchronised.
      const data = Buffer.concat([sha256(hostname), hex('0500000000')])
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
