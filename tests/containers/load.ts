// Calls at a steady rate in the box of Docker, and what became of each.

import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { Docker } from '../../scripts/image/docker.ts'

/** What load-inside.ts prints. */
export type Counted = {
  readonly requests: number
  // When, status and body of each request that was not accepted.
  readonly failures: readonly string[]
  // Accepted requests, by what became of them.
  readonly calls: number
  readonly verified: number
  readonly failed: number
  readonly lost: number
  readonly gapMs: number
}

export type Load = { readonly end: () => Promise<Counted> }

export function startLoad(docker: Docker, base: string, key: string, perSecond: number): Load {
  const shell = docker.shell(import.meta.dirname)
  assert(shell.stdout)
  const shown = text(shell.stdout)
  shell.stdin?.write(`exec ${process.execPath} load-inside.ts ${base} ${key} ${perSecond}\n`)
  return {
    end: async () => {
      shell.stdin?.end()
      return JSON.parse(await shown) as Counted
    },
  }
}
