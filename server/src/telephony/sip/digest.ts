// The response to a digest challenge (RFC 8760: MD5 and SHA-256, with and without qop).

import { createHash, randomBytes } from 'node:crypto'

type DigestRequest = {
  readonly method: string
  readonly uri: string
  readonly user: string
  readonly password: string
}

const algorithms: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
])

// The header that answers the challenge in a 401 or 407; undefined if there is none that we can answer.
export function authorizationOf(
  reply: string,
  { method, uri, user, password }: DigestRequest,
  cnonce = randomBytes(8).toString('hex'),
): string | undefined {
  const challenges = reply.matchAll(/^(www|proxy)-authenticate[ \t]*:[ \t]*digest (.*)$/gim)
  for (const [, kind = '', challenge = ''] of challenges) {
    const name = parameterOf(challenge, 'algorithm') ?? 'MD5'
    const algorithm = algorithms.get(name.toUpperCase())
    const realm = parameterOf(challenge, 'realm')
    const nonce = parameterOf(challenge, 'nonce')
    if (algorithm === undefined || realm === undefined || nonce === undefined) continue
    const digest = (text: string) => createHash(algorithm).update(text).digest('hex')
    const secret = digest(`${user}:${realm}:${password}`)
    const request = digest(`${method}:${uri}`)
    const opaque = parameterOf(challenge, 'opaque')
    const hasQop = (parameterOf(challenge, 'qop') ?? '').split(/[\s,]+/).includes('auth')
    const response = digest(
      hasQop ? `${secret}:${nonce}:00000001:${cnonce}:auth:${request}` : `${secret}:${nonce}:${request}`,
    )
    const parts = [
      `username="${user}"`,
      `realm="${realm}"`,
      `nonce="${nonce}"`,
      `uri="${uri}"`,
      `response="${response}"`,
      `algorithm=${name}`,
      ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
      ...(hasQop ? ['qop=auth', 'nc=00000001', `cnonce="${cnonce}"`] : []),
    ]
    return `${kind.toLowerCase() === 'www' ? 'Authorization' : 'Proxy-Authorization'}: Digest ${parts.join(', ')}`
  }
  return undefined
}

function parameterOf(challenge: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^,\\s"]+))`, 'i').exec(challenge) ?? []
  return quoted ?? plain
}
