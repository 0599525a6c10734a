// Every scenario through Asterisk and a real carrier, and what it leaves behind: no number in a file, and no core dump.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { writeOutcomeMatrix } from '../support/suites/outcomes.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const { base, says, output } = await serve(installation)
await says('"msg":"ARI connected"')
const service = await makeService(installation, 10_000)

test('every scenario gives its specified outcome, charge and explanation, and leaves no number behind', async (t) => {
  const numbers = await writeOutcomeMatrix(installation, base, service)
  // Our caller numbers are no secret, those of subscribers are; the last ten digits are in every format.
  const needles = numbers.map((number) => number.slice(1))
  assert.deepEqual(filesWith(asterisk.site.directory, needles), [])
  assert.equal(
    needles.find((needle) => output().includes(needle)),
    undefined,
  )
  assert.deepEqual(
    filesBelow(asterisk.site.directory).filter((file) => /^core(\.\d+)?$/.test(basename(file))),
    [],
  )
  assert.match(readFileSync(`/proc/${asterisk.pid()}/limits`, 'utf8'), /^Max core file size +0 +0 /m)
  // Positive control: the same search finds a seeded number.
  const seeded = join(asterisk.site.directory, 'spool', 'seeded')
  t.after(() => writeFileSync(seeded, ''))
  writeFileSync(seeded, `from 8${needles[0]} to`)
  assert.deepEqual(filesWith(asterisk.site.directory, needles), [seeded])
})

test('nodes report whether carriers respond, and a trunk can be tested next to the running server', async () => {
  const list = () => ringproofJson<{ trunk: string; carrier: unknown }[]>(installation.environment, 'trunks', 'list')
  const up = { node: asterisk.site.node, up: true, reason: `${carrier.address} answers OPTIONS` }
  assert.deepEqual(
    (await list()).map(({ carrier: said }) => said),
    [[up], [up]],
  )
  const run = (...args: string[]) => ringproof(installation.environment, 'trunks', ...args)
  const said = await run('test', 'first', '--to', '79070000586')
  assert.match(
    said.out,
    /^Call to 7907\*\*\*0586 over first from 70000000000: rang after 0\.\d s for 2\.\d s, ended/,
    said.err,
  )
  assert.match((await run('test', 'first', '--to', '79070000404')).out, /refused with 404/)
})

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function filesWith(directory: string, needles: readonly string[]): readonly string[] {
  return filesBelow(directory).filter((file) => {
    const content = readFileSync(file)
    return needles.some((needle) => content.includes(needle))
  })
}
