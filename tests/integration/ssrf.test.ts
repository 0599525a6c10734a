// No webhook reaches an address that it may not, counted where it would arrive.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Reached } from '../support/network/ssrf-namespace.ts'

const script = fileURLToPath(new URL('../support/network/ssrf-namespace.ts', import.meta.url))

test('in a world where every address is listened at, forbidden ones hear nothing', async () => {
  // Root needs nobody's map, and in a changed root there is none to be had.
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const command = ['--net', ...asRoot, '--', process.execPath, '--disable-warning=ExperimentalWarning', script]
  const { stdout } = await promisify(execFile)('unshare', command)
  const { connections, outcomes } = JSON.parse(stdout) as Reached
  const kinds = (part: string) => new Set(outcomes[part])

  // The listeners hear what may go through, and what is forbidden too where it is allowed.
  assert.deepEqual(outcomes['received'], [204, 204, 204, 204])
  assert.deepEqual(outcomes['allowed'], [204, 204, 204])
  assert.deepEqual(connections['allowed'], ['127.0.0.1', '127.0.0.1', '93.184.215.14'])

  assert((outcomes['literals']?.length ?? 0) > 60 && (outcomes['names']?.length ?? 0) > 40, 'the corpus is there')
  for (const part of ['literals', 'names', 'mixed']) {
    assert.deepEqual(kinds(part), new Set(['address-refused']), part)
    assert.deepEqual(connections[part], [], part)
  }
  assert.deepEqual([outcomes['redirected'], connections['redirected']], [[302], ['93.184.215.14']])

  // A name that changes its address at every look-up is either where it may be or refused, a thousand times.
  assert.equal(outcomes['rebinding']?.length, 1_000)
  assert.deepEqual(kinds('rebinding'), new Set([204, 'address-refused']))
  assert.deepEqual([...new Set(connections['rebinding'])], ['93.184.215.14'])
  assert.equal(connections['rebinding']?.length, outcomes['rebinding']?.filter((outcome) => outcome === 204).length)
})
