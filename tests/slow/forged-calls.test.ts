// A thousand calls of each kind, forged and genuine, over every transport, and through a real relay: see
// tests/support/sip/forged-calls.ts. Kamailio is Debian's package, unpacked into the stack's folder.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { unpackPackage } from '../../scripts/stack/debian.ts'
import { stackDirectory } from '../../scripts/stack/state.ts'
import { runInNamespace } from '../support/network/network-namespace.ts'

const file = fileURLToPath(new URL('../support/sip/forged-calls.ts', import.meta.url))
const calls = process.env['CALLS'] ?? '1000'
const timeoutMs = 30 * 60_000

test(`${calls} calls of each kind: genuine ones verify, forged ones do not`, { timeout: timeoutMs }, async (t) => {
  const programs = join(await kamailio(), 'usr')
  const [libraries = ''] = globSync(join(programs, 'lib/*/kamailio'))
  const said = await runInNamespace(file, {
    CALLS: calls,
    CALLS_PER_SECOND: '50',
    RELAY: join(programs, 'sbin/kamailio'),
    LD_LIBRARY_PATH: libraries,
  })
  for (const line of said.match(/^ℹ .*\{.*$/gm) ?? []) t.diagnostic(line.slice(2))
})

async function kamailio(): Promise<string> {
  const directory = join(stackDirectory, 'kamailio')
  const tree = join(directory, 'tree')
  if (existsSync(join(tree, 'usr/sbin/kamailio'))) return tree
  await mkdir(directory, { recursive: true })
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'
  return unpackPackage('kamailio', suite, directory)
}
