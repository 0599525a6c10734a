// A page of the documentation, typed word for word into a shell.

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The fenced commands of one section. */
export function commandsOf(page: string, heading: string): readonly string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  assert(section, `the page has no section ${heading}`)
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
}

export type Terminal = {
  /** Returns what the commands print. */
  readonly type: (commands: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** One bash for the whole page: directories and variables stay. It ends at the first command that fails. */
export function openTerminal(shell: ChildProcess): Terminal {
  const ended = once(shell, 'close')
  let shown = ''
  let onShown = () => {}
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      onShown()
    })
  }
  shell.stdin?.write('set -euo pipefail\n')
  return {
    type: async (commands) => {
      shown = ''
      const done = Promise.withResolvers<void>()
      onShown = () => (shown.endsWith('\n--- done\n') ? done.resolve() : undefined)
      shell.stdin?.write(`${commands}\nprintf '\\n--- done\\n'\n`)
      const failed = ended.then(() => Promise.reject(new Error(`a command failed:\n${commands}\n${shown}`)))
      await Promise.race([done.promise, failed])
      return shown.replace(/\n--- done\n$/, '')
    },
    close: async () => {
      shell.stdin?.end()
      await ended
    },
  }
}
