import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { proxyWarning } from '../../server/src/http/proxy-warning.ts'
import type { Logger } from '../../server/src/process/log/log.ts'

function look(trustedProxies: readonly string[], peers: readonly string[], header = 'x-forwarded-for') {
  const fixes: string[] = []
  const log = { warn: ({ fix }: { fix: string }) => fixes.push(fix) } as unknown as Logger
  const see = proxyWarning({ trustedProxies, log })
  for (const remoteAddress of peers) {
    see({ raw: { headers: { [header]: '198.51.100.7' }, socket: { remoteAddress } } } as unknown as FastifyRequest)
  }
  return fixes.map((fix) => fix.slice(fix.indexOf('RINGPROOF')))
}

test('a proxy that is not trusted is named once, whatever its address', () => {
  // The gateway of a Docker network, a load balancer on another machine, this machine.
  assert.deepEqual(look([], ['172.18.0.1', '::ffff:172.18.0.1', '10.0.0.9', '127.0.0.1', '2001:db8::1', '10.0.0.9']), [
    'RINGPROOF_TRUSTED_PROXIES=172.18.0.1',
    'RINGPROOF_TRUSTED_PROXIES=10.0.0.9',
    'RINGPROOF_TRUSTED_PROXIES=127.0.0.1',
    'RINGPROOF_TRUSTED_PROXIES=2001:db8::1',
  ])
  assert.deepEqual(look(['10.0.0.0/8'], ['10.0.0.9', '172.18.0.1']), [
    'RINGPROOF_TRUSTED_PROXIES=10.0.0.0/8,172.18.0.1',
  ])
})

test('a trusted proxy, and a client that sends no such header, are not named', () => {
  assert.deepEqual(look(['172.18.0.1'], ['172.18.0.1', '::ffff:172.18.0.1']), [])
  assert.deepEqual(look([], ['172.18.0.1'], 'forwarded'), [])
})

test('clients that send the header fill no log', () => {
  assert.equal(
    look(
      [],
      Array.from({ length: 1_000 }, (_, n) => `203.0.${n >> 8}.${n & 255}`),
    ).length,
    10,
  )
})
