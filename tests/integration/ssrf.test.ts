// No webhook reaches a forbidden address, counted at the receiving end.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Reached } from '../support/network/ssrf-namespace.ts'

const script = fileURLToPath(new URL('../support/network/ssrf-namespace.ts', import.meta.url))

test('with a listener on every address of a namespace, forbidden addresses receive nothing', async () => {
  // Root needs no user namespace, and in a chroot none can be created.
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const command = ['--net', ...asRoot, '--', process.execPath, '--disable-warning=ExperimentalWarning', script]
  const { stdout } = await promisify(execFile)('unshare', command)
  const { connections, outcomes } = JSON.parse(stdout) as Reached
  const kinds = (part: string) => new Set(outcomes[part])

  // The listeners receive allowed requests, including to forbidden addresses that the settings allow.
  assert.deepEqual(outcomes['received'], [204, 204, 204, 204])
  assert.deepEqual(outcomes['allowed'], [204, 204, 204])
  assert.deepEqual(connections['allowed'], ['127.0.0.1', '127.0.0.1', '93.184.215.14'])

  assert((outcomes['literals']?.length ?? 0) > 60 && (outcomes['names']?.length ?? 0) > 40, 'the corpus is incomplete')
  for (const part of ['literals', 'names', 'mixed']) {
    assert.deepEqual(kinds(part), new Set(['address-refused']), part)
    assert.deepEqual(connections[part], [], part)
  }
  assert.deepEqual([outcomes['redirected'], connections['redirected']], [[302], ['93.184.215.14']])

  // A name whose address changes at every lookup is delivered to an allowed address or refused, a thousand times.
  assert.equal(outcomes['rebinding']?.length, 1_000)
  assert.deepEqual(kinds('rebinding'), new Set([204, 'address-refused']))
  assert.deepEqual([...new Set(connections['rebinding'])], ['93.184.215.14'])
  assert.equal(connections['rebinding']?.length, outcomes['rebinding']?.filter((outcome) => outcome === 204).length)
})
