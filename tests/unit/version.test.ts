// One version for everything that is released together.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { whyNotRelease } from '../../scripts/release/releasable.ts'
import { changelogHead, debianVersion, version } from '../../scripts/release/version.ts'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

type Manifest = {
  readonly version: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifestOf = (path: string) => JSON.parse(read(path)) as Manifest
const { workspaces = [] } = manifestOf('package.json')

test('every workspace, the lockfile and their references to each other have the version of the root', () => {
  assert.match(version, /^\d+\.\d+\.\d+(-rc\.\d+)?$/)
  assert(workspaces.length > 0)
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, Manifest> }
  assert.equal(lock.version, version)
  for (const workspace of ['', ...workspaces]) {
    assert.equal(manifestOf(join(workspace, 'package.json')).version, version, workspace)
    for (const manifest of [manifestOf(join(workspace, 'package.json')), lock.packages[workspace]]) {
      assert.equal(manifest?.version, version, workspace)
      const declared = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      for (const [name, range] of declared.filter(([one]) => one.startsWith('@ringproof/'))) {
        assert.equal(range, version, `${name} in ${workspace}`)
      }
    }
  }
})

test('ringproof --version, the changelog and the PHP client have it, and the pages name its package', () => {
  const program = join(repository, 'server/bin/ringproof.js')
  assert.equal(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).trim(), version)
  assert.equal(changelogHead(read('CHANGELOG.md')).version, version)
  assert.equal(/ringproof-client-php\/([^']+)'/.exec(read('sdk-php/src/Transport.php'))?.[1], version)
  assert.equal(/^VERSION=(.*)$/m.exec(read('docs/operations/verify.md'))?.[1], version)
  const named = [...read('docs/operations/install-debian.md').matchAll(/ringproof_([^_\s]+)_amd64\.deb/g)]
  assert.deepEqual(
    named.map(([, one]) => one),
    [debianVersion],
  )
})

test('the head of a changelog is a version with its date or (unreleased)', () => {
  const head = (line: string) => changelogHead(`# Changelog\n\n${line}\n\n- x\n\n## 0.0.9 (2026-01-01)\n`)
  assert.deepEqual(head('## 0.1.0 (2026-11-16)'), { version: '0.1.0', date: '2026-11-16' })
  assert.deepEqual(head('## 0.1.0 (unreleased)'), { version: '0.1.0', date: 'unreleased' })
  for (const wrong of ['## Unreleased', '## 0.1.0', '## 0.1.0 (soon)'])
    assert.throws(() => head(wrong), /CHANGELOG\.md/)
})

test('a version is released once, from its tag, with a date', () => {
  const dated = { version: '0.1.0', date: '2026-11-16' }
  assert.equal(whyNotRelease('0.1.0', dated, '', 'abc'), undefined)
  assert.equal(whyNotRelease('0.1.0', dated, 'abc', 'abc'), undefined)
  assert.equal(whyNotRelease('0.1.0', { ...dated, date: 'unreleased' }, '', 'abc'), undefined)
  assert.match(whyNotRelease('0.1.0', { ...dated, date: 'unreleased' }, 'abc', 'abc') ?? '', /has no date/)
  assert.match(whyNotRelease('0.1.0', dated, 'def', 'abc') ?? '', /another commit, def\. Raise the version/)
  assert.match(whyNotRelease('0.1.1', dated, '', 'abc') ?? '', /starts with 0\.1\.0, but package\.json says 0\.1\.1/)
})
