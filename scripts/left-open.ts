// Loaded into every test process before its test file. A test that leaves a socket, timer or child process open keeps its
// process from ending, and node would wait for ever without a message. This prints what is open and fails the file.

import { after } from 'node:test'

// From the end of the last test: the file's cleanup hooks run in this time, and on a busy machine a graceful shutdown of two
// processes may take 15 seconds.
const graceMs = 60_000

after(() => {
  setTimeout(fail, graceMs).unref()
})

function fail(): void {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap')
  process.stderr.write(
    `${process.argv[1]}: its tests have ended, but the process does not. Still open: ${open.join(', ') || 'a pipe'}\n`,
  )
  process.exit(1)
}
