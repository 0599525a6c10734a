// Runs a command as on a slow machine, to find tests that ask for speed.
//
//   npm run slow-machine -- --one-core .ci/run     with one core, and nothing left over in a tenth of a second that is used up
//   npm run slow-machine -- --load=10 .ci/run      beside ten processes that compute
//   npm run slow-machine -- --slow-disk .ci/run    on a disk that takes 20 ms for each sync
//
// As root. The disk is slow for programs that strace follows: each fsync and fdatasync returns 20 ms late, those of PostgreSQL and of
// NATS among them. A delay by device mapper or a file system of the test's own would be closer to a disk, but needs a kernel
// with dm-delay.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installMissing } from './stack/debian.ts'

const syncMs = 20
const periodUs = 100_000
// Beside other work the group would count as a single process: so many times that, it gets its core.
const weight = 16
const busy = 'for (;;);'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'one-core': { type: 'boolean', default: false },
    load: { type: 'string', default: '0' },
    'slow-disk': { type: 'boolean', default: false },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  const [program, ...args] = positionals
  if (program === undefined) {
    process.stderr.write('Usage: npm run slow-machine -- [--one-core] [--load=N] [--slow-disk] COMMAND …\n')
    return 2
  }
  if (values['slow-disk']) await installMissing([['strace', ['strace', '--version']]])
  const load = Array.from({ length: Number(values.load) }, () => spawn(process.execPath, ['-e', busy]))
  const group = values['one-core'] ? createOneCoreGroup() : undefined
  try {
    const [first = '', ...rest] = [...(values['slow-disk'] ? slowDisk() : []), program, ...args]
    // The bars for time are not for this machine.
    const child = spawn(first, rest, { stdio: 'inherit', env: { ...process.env, NO_TIME_BAR: '1' } })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    await Promise.all(load.map(end))
    group?.leave()
  }
}

function slowDisk(): readonly string[] {
  const calls = 'fsync,fdatasync'
  const changes = `-e trace=${calls} -e inject=${calls}:delay_exit=${syncMs * 1_000} -e signal=none`
  return `strace -f -qqq --seccomp-bpf ${changes} -o /dev/null`.split(' ')
}

// This process and all that it starts share one core. Both versions of control groups are in use.
function createOneCoreGroup(): { readonly leave: () => void } {
  const isSecond = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const root = isSecond ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu'
  const group = `${root}/slow-machine-${process.pid}`
  if (isSecond) writeFileSync(`${root}/cgroup.subtree_control`, '+cpu')
  mkdirSync(group)
  if (isSecond) {
    writeFileSync(`${group}/cpu.max`, `${periodUs} ${periodUs}`)
    writeFileSync(`${group}/cpu.weight`, String(100 * weight))
  } else {
    writeFileSync(`${group}/cpu.shares`, String(1_024 * weight))
    writeFileSync(`${group}/cpu.cfs_period_us`, String(periodUs))
    writeFileSync(`${group}/cpu.cfs_quota_us`, String(periodUs))
  }
  writeFileSync(`${group}/cgroup.procs`, String(process.pid))
  return {
    leave: () => {
      writeFileSync(`${root}/cgroup.procs`, String(process.pid))
      // Servers that the command has left running keep it.
      try {
        rmdirSync(group)
      } catch {
        process.stderr.write(`slow-machine: ${group} is still in use\n`)
      }
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
