import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayReach, parseCallbackUrl } from '../../server/src/domain/webhooks/web-address.ts'
import { forbiddenAddresses, forbiddenUrls } from '../support/http/forbidden-urls.ts'

test('every spelling of a forbidden address is refused at registration', () => {
  for (const url of forbiddenUrls) assert.equal(parseCallbackUrl(url, []), undefined, JSON.stringify(url))
})

test('special-purpose addresses are never reachable; public ones are, on web ports', () => {
  for (const address of forbiddenAddresses) assert.equal(mayReach(address, 443, []), false, address)
  for (const address of [
    '1.1.1.1',
    '93.184.215.14',
    '100.63.255.255',
    '172.15.0.1',
    '223.255.255.255',
    '2606:4700::1',
  ]) {
    for (const port of [80, 443, 8080, 8443]) assert.equal(mayReach(address, port, []), true, `${address} ${port}`)
    for (const port of [22, 25, 4222, 5432, 6379, 8088]) assert.equal(mayReach(address, port, []), false)
  }
  for (const nothing of ['', 'localhost', '1.1.1', 'fe80::1%eth0', '::ffff:1.1.1.1%lo']) {
    assert.equal(mayReach(nothing, 443, ['0.0.0.0/0', '::/0']), false, nothing)
  }
  assert.equal(mayReach('::ffff:1.1.1.1', 443, []), true, 'an IPv4-mapped address is the IPv4 address')
})

test('an allowed network is reachable on any port; its neighbours are not', () => {
  const allowed = ['10.1.0.0/16', 'fd00::/8']
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::ffff:a01:203', 'fd00:ec2::254']) {
    assert.equal(mayReach(address, 6379, allowed), true, address)
  }
  for (const address of ['10.2.0.1', '127.0.0.1', '::1', '64:ff9b::a01:203', 'fe80::1']) {
    assert.equal(mayReach(address, 443, allowed), false, address)
  }
  assert.equal(parseCallbackUrl('http://10.1.2.3:9/hook', allowed)?.port, '9')
  assert.equal(parseCallbackUrl('http://10.2.2.3/hook', allowed), undefined)
})

test('host names are resolved at delivery, but their port is checked at registration', () => {
  for (const good of [
    'https://example.com/hook?x=1#y',
    'http://shop.example:8080/',
    'HTTPS://EXAMPLE.ORG',
    'https://пример.рф/крючок',
    'http://1.1.1.1/',
    'https://[2606:4700::1]:8443/',
  ]) {
    assert(parseCallbackUrl(good, []), good)
  }
  assert.equal(parseCallbackUrl('http://shop.example:9999/', []), undefined)
  assert(parseCallbackUrl('http://shop.example:9999/', ['10.0.0.0/8']), 'the name may resolve into the allowed network')
})
