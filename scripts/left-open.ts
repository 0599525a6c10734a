// Loaded into every test process before its test file. A test that leaves a socket, timer or child process open keeps its
// process from ending, and node would wait for ever without a message. This prints what is open and fails the file.

import { subscribe } from 'node:diagnostics_channel'
import { after } from 'node:test'
import { cleanupChannel } from '../tests/support/at-end.ts'

const graceMs = 60_000
// Each step of the cleanup is timed apart: on a slow disk, dropping a database takes a minute.
const stepMs = 600_000

let timer: NodeJS.Timeout | undefined

after(() => failAfter(graceMs))
subscribe(cleanupChannel, (isStep) => failAfter(isStep ? stepMs : graceMs))

function failAfter(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(fail, ms).unref()
}

function fail(): void {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap')
  process.stderr.write(
    `${process.argv[1]}: its tests have ended, but the process does not. Still open: ${open.join(', ') || 'a pipe'}\n`,
  )
  process.exit(1)
}
