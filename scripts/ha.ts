// `npm run test:ha`: the tests of tests/ha in a separate network namespace, as root. Three machines are three more
// namespaces on a bridge in it; no packet leaves.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installMissing } from './stack/debian.ts'
import { installPatroni } from './stack/patroni.ts'

const packages = [
  ['etcd-server', ['etcd', '--version']],
  ['etcd-client', ['etcdctl', 'version']],
  ['haproxy', ['haproxy', '-v']],
  ['iproute2', ['ip', '-V']],
  ['tini', ['tini', '--version']],
] as const

if (process.getuid?.() !== 0) throw new Error('test:ha creates network namespaces: run it as root')
await installMissing(packages)
await installPatroni()

const tests = ['scripts/test.ts', '--at-once=1', ...(process.argv.length > 2 ? process.argv.slice(2) : ['tests/ha'])]
// tini takes the processes whose parent is gone, as the init of a machine does. Not every container's init does so at once, and Patroni waits
// a second longer for a PostgreSQL that nobody has reaped.
const { status } = spawnSync('unshare', ['--net', '--', 'tini', '-s', '--', process.execPath, ...tests], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
})
process.exitCode = status ?? 1
