// `npm run test:faults`: the fault matrix of tests/faults in separate network and mount namespaces, as root. Five machines are
// five more network namespaces on a bridge in it; no packet leaves, and no mount outlives the run. `--parallel=2` divides the
// cases between two such topologies: a case mostly waits. What needs all cores or measures milliseconds runs alone afterwards.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { installMissing } from './stack/debian.ts'
import { installPatroni } from './stack/patroni.ts'

const packages = [
  ['etcd-server', ['etcd', '--version']],
  ['haproxy', ['haproxy', '-v']],
  ['iproute2', ['ip', '-V']],
  ['e2fsprogs', ['mkfs.ext4', '-V']],
  ['nftables', ['nft', '--version']],
  ['faketime', ['faketime', '--version']],
  ['tini', ['tini', '--version']],
] as const

if (process.getuid?.() !== 0) throw new Error('test:faults creates network namespaces: run it as root')
await installMissing(packages)
await installPatroni()

const parallelOption = '--parallel='
const options = process.argv.slice(2)
const parallel = Number(options.find((option) => option.startsWith(parallelOption))?.slice(parallelOption.length) ?? 1)
const passedOn = options.filter((option) => !option.startsWith(parallelOption))
const codes =
  parallel === 1
    ? [await runMatrix(passedOn)]
    : [
        ...(await Promise.all(
          Array.from({ length: parallel }, (_, nth) => runMatrix([...passedOn, `--part=${nth + 1}/${parallel}`])),
        )),
        await runMatrix([...passedOn, '--part=alone']),
      ]
process.exitCode = Math.max(...codes)

// Each has its own five machines. tini takes the processes whose parent is gone, as the init of a machine does.
async function runMatrix(chosen: readonly string[]): Promise<number> {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', 'tests/faults/main.ts', ...chosen]
  const child = spawn('unshare', ['--net', '--mount', '--', 'tini', '-s', '--', ...node], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
