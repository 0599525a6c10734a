// CPU time of processes, from /proc.

import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from 'pg'

const ticksPerSecond = 100
const kernelParent = 2

export function cpuMsOf(pid: number): number {
  const { own } = ticksOf(pid)
  return (own * 1000) / ticksPerSecond
}

// Of the children that a process has waited for.
export function cpuMsOfEnded(pid: number): number {
  return (ticksOf(pid).ended * 1000) / ticksPerSecond
}

// Of the server's process of this session, in nanoseconds of the scheduler.
export function backendMs(session: Client): number {
  const { processID } = session as unknown as { readonly processID: number }
  return Number(readFileSync(`/proc/${processID}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

// A server with child processes: the living ones, and the exited ones, which /proc adds to their parent.
export function cpuMsOfFamily(pid: number): number {
  const { own, ended } = ticksOf(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const living = children.reduce((sum, child) => sum + livingTicks(Number(child)), 0)
  return ((own + ended + living) * 1000) / ticksPerSecond
}

/** Every process that is alive, without those of the kernel. */
export function livingProcesses(): readonly {
  readonly pid: number
  readonly parent: number
  readonly cpuMs: number
}[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.flatMap((pid) => {
    try {
      const { parent, own } = ticksOf(pid)
      return parent === kernelParent || pid === kernelParent
        ? []
        : [{ pid, parent, cpuMs: (own * 1000) / ticksPerSecond }]
    } catch {
      // It has exited.
      return []
    }
  })
}

// A child that exits during the read is included in its parent next time.
function livingTicks(pid: number): number {
  try {
    return ticksOf(pid).own
  } catch {
    return 0
  }
}

function ticksOf(pid: number): { readonly parent: number; readonly own: number; readonly ended: number } {
  // The name in brackets may contain anything; only numbers follow it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return { parent: fields[1] ?? 0, own: user + system, ended: endedUser + endedSystem }
}
