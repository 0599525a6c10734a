// Loaded into every test process before its test file. A test that leaves a socket, a timer or a child process open
// keeps its process from ending, and node would wait for it without a word and for ever. This says what is open, and
// fails the file.

import { after } from 'node:test'

// Counted from the moment the last test has ended: the hooks of the file that close things run in this time,
// and on a busy machine two processes that stop in good order may take a quarter of a minute.
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
