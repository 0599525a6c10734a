// A child process that runs jobs over IPC, one at a time.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Child<J, R> = {
  readonly pid: number
  readonly ask: (job: J) => Promise<R>
  readonly close: () => Promise<void>
}

export function createChild<J, R>(file: string, opening: object): Child<J, R> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, {
    serialization: 'advanced',
    execArgv: [...process.execArgv, '--disable-warning=ExperimentalWarning'],
  })
  child.send(opening)
  return {
    pid: child.pid ?? 0,
    ask: async (job) => {
      child.send(job as object)
      return resultOf<R>(child, file)
    },
    close: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function resultOf<R>(child: ChildProcess, file: string): Promise<R> {
  const waiting = new AbortController()
  try {
    const { signal } = waiting
    const died = once(child, 'exit', { signal }).then(() => Promise.reject(new Error(`${file} exited`)))
    const [response] = (await Promise.race([once(child, 'message', { signal }), died])) as [R | { failure: string }]
    if (typeof response === 'object' && response !== null && 'failure' in response) {
      throw new Error(`${file}: ${response.failure}`)
    }
    return response
  } finally {
    waiting.abort()
  }
}

type Work = (job: never) => Promise<unknown>

// In the child: the first message is its opening, each later one a job. It exits when the parent disconnects.
export function serveJobs(open: (opening: never) => Promise<Work>): void {
  let work: Promise<Work> | undefined
  process.on('message', (message: unknown) => {
    if (!work) {
      work = open(message as never)
      work.catch(sendFailure)
      return
    }
    work.then((run) => run(message as never)).then((result) => process.send?.(result), sendFailure)
  })
  process.on('disconnect', () => process.exit())
}

function sendFailure(error: unknown): void {
  process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}
