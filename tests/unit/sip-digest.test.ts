import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizationOf } from '../../server/src/telephony/sip/digest.ts'

const request = { method: 'GET', uri: '/dir/index.html', user: 'Mufasa', password: 'Circle of Life' }
const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'

test('the examples of RFC 7616 get their responses, with MD5 and with SHA-256', () => {
  for (const [algorithm, response] of [
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ]) {
    const header = authorizationOf(challenge(`qop="auth, auth-int", algorithm=${algorithm}`), request, cnonce)
    assert.match(header ?? '', new RegExp(`^Authorization: Digest .*response="${response}"`))
    assert.match(header ?? '', new RegExp(`algorithm=${algorithm}, opaque="x", qop=auth, nc=00000001, cnonce=`))
  }
})

test('a proxy is answered as a proxy, without qop as in RFC 2069, and an unknown algorithm is passed over', () => {
  const proxy = `SIP/2.0 407 Proxy Authentication Required\r\nProxy-Authenticate: Digest realm="r", nonce="n", algorithm=SHA-512-256\r\nProxy-Authenticate: Digest realm="r",nonce="n"\r\n\r\n`
  const header = authorizationOf(proxy, request) ?? ''
  assert.match(header, /^Proxy-Authorization: Digest username="Mufasa", realm="r", nonce="n"/)
  assert(!header.includes('qop'))
  assert.equal(
    authorizationOf('SIP/2.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm="r"\r\n\r\n', request),
    undefined,
  )
})

function challenge(more: string): string {
  const parts = `realm="http-auth@example.org", nonce="${nonce}", opaque="x", ${more}`
  return `SIP/2.0 401 Unauthorized\r\nWWW-Authenticate: Digest ${parts}\r\nContent-Length: 0\r\n\r\n`
}
