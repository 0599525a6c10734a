// Patroni of Debian 13, unpacked beside the system, with the Python packages of the system. Patroni 3.0.2 of Debian 12 loses what was
// acknowledged: a primary that was cut off and comes back overwrites the leader key of its successor (docs/adr/0036).

import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installMissing, unpackPackage } from './debian.ts'
import { draftDirectory } from './draft.ts'
import { run } from './process.ts'
import { stackDirectory } from './state.ts'

const versionMin = 4
// Debian's: another one in the PATH has not its packages.
const python = '/usr/bin/python3'
const suite = 'trixie'
const directory = join(stackDirectory, 'patroni')
const modules = join(directory, 'usr/lib/python3/dist-packages')

// Modules of Python, and the packages that they are in.
const needed = {
  click: 'python3-click',
  dateutil: 'python3-dateutil',
  dns: 'python3-dnspython',
  etcd: 'python3-etcd',
  prettytable: 'python3-prettytable',
  psutil: 'python3-psutil',
  psycopg2: 'python3-psycopg2',
  urllib3: 'python3-urllib3',
  yaml: 'python3-yaml',
  // Of patronictl alone.
  cdiff: 'python3-cdiff',
} as const

export function patroniCommand(program: 'patroni' | 'patronictl'): readonly string[] {
  return ['env', `PYTHONPATH=${modules}`, python, join(directory, 'usr/bin', program)]
}

export async function installPatroni(): Promise<void> {
  await installMissing(Object.entries(needed).map(([name, item]) => [item, [python, '-c', `import ${name}`]] as const))
  if (await isRecent().catch(() => false)) return
  const draft = await draftDirectory(directory)
  const tree = await unpackPackage('patroni', suite, draft)
  await rm(directory, { recursive: true, force: true })
  await rename(tree, directory)
  await rm(draft, { recursive: true })
  if (!(await isRecent())) throw new Error(`Patroni ${versionMin} or newer is needed; ${suite} has an older one`)
}

async function isRecent(): Promise<boolean> {
  const said = await run([...patroniCommand('patroni'), '--version'])
  // Without one of its modules it would fail in the middle of a test.
  await run([...patroniCommand('patronictl'), '--help'])
  return Number(/(\d+)\./.exec(said)?.[1] ?? 0) >= versionMin
}
