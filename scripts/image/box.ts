// A box to run containers in, as root: separate network, mount and process namespaces. Bridges, ports and firewall rules of
// containers never meet those of the machine, nothing in the box reaches another host, and when its first process ends, the
// kernel ends all others.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export type Box = {
  /** The command line that runs a command inside, in the given directory. */
  readonly inside: (command: readonly string[], cwd?: string) => readonly string[]
  readonly close: () => Promise<void>
}

export async function openBox(): Promise<Box> {
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private']
  const holder = spawn('unshare', [...namespaces, 'bash', '-c', prepare], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'close')
  const lines = createInterface({ input: holder.stdout })
  const isReady = await Promise.race([once(lines, 'line').then(() => true), ended.then(() => false)])
  if (!isReady) throw new Error('no box could be created; it needs root')
  const pid = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim()
  const enter = ['nsenter', `--target=${pid}`, '--net', '--mount', '--pid']
  return {
    inside: (command, cwd = '/') => [...enter, `--wdns=${cwd}`, ...command],
    close: async () => {
      holder.stdin.end()
      await ended
    },
  }
}

// Where two cgroup hierarchies are mounted, container runtimes refuse to start, so the second one is hidden. The box ends when
// its input does, so also when our process is killed. bash, because it reaps the processes that lose their parent.
const prepare = `set -e
ip link set lo up
if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
mount -t tmpfs tmpfs /run
echo ready
while read -r line; do :; done`
