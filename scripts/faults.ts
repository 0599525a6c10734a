// `npm run test:faults`: the fault matrix of tests/faults in separate network and mount namespaces, as root. Five machines are
// five more network namespaces on a bridge in it; no packet leaves, and no mount outlives the run.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installMissing } from './stack/debian.ts'
import { installPatroni } from './stack/patroni.ts'

const packages = [
  ['etcd-server', ['etcd', '--version']],
  ['haproxy', ['haproxy', '-v']],
  ['nftables', ['nft', '--version']],
  ['faketime', ['faketime', '--version']],
  ['tini', ['tini', '--version']],
] as const

if (process.getuid?.() !== 0) throw new Error('test:faults creates network namespaces: run it as root')
await installMissing(packages)
await installPatroni()

// Takes the processes whose parent is gone, as the init of a machine does.
const reaper = ['tini', '-s', '--']
const runner = [...reaper, process.execPath, '--disable-warning=ExperimentalWarning', 'tests/faults/main.ts']
const { status } = spawnSync('unshare', ['--net', '--mount', '--', ...runner, ...process.argv.slice(2)], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
})
process.exitCode = status ?? 1
