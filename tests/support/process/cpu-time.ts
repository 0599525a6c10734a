// CPU time of programs that run beside a test.

import { globSync, readFileSync } from 'node:fs'

// A process and its descendants.
export function treeOf(root: number): readonly number[] {
  const parents = globSync('/proc/[0-9]*/stat').flatMap((file) => {
    // After the name, which may contain anything.
    const parent = Number(
      textOf(file)
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
    return parent > 0 ? [[Number(file.split('/')[2]), parent] as const] : []
  })
  const found = new Set([root])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

// By the scheduler, in nanoseconds: ticks are too coarse for processes that mostly sleep.
export function cpuMsOf(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) => globSync(`/proc/${pid}/task/*/schedstat`))
  return threads.reduce((sum, file) => sum + Number(textOf(file).split(' ')[0]) / 1_000_000, 0)
}

// Empty if the process has just ended.
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
