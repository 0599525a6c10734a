// Writes log lines to a file or a pipe. Logging must never block the process. Lines are collected for a moment, because a write
// costs two switches of threads. While one write is in flight, they are buffered for the next, up to 1 MB. A full disk loses
// the lines of that write; a pipe without a reader loses the lines above the limit. Lost lines are counted, and the count is
// reported once lines get through again.

import { write, writeSync } from 'node:fs'
import type { Clock } from '../clock.ts'

type LogSink = {
  readonly write: (line: string) => void
  readonly linesDropped: () => number
}

const bufferMax = 1024 * 1024
const collectMs = 10
const retryMs = 100
const exitTries = 10

export function createLogSink(fd: number, clock: Clock, recovered: (lines: number) => void): LogSink {
  const buffer = createLineBuffer(recovered)
  let isWriting = false
  let isInFlight = false

  function next(): void {
    const bytes = buffer.take()
    isWriting = bytes.length > 0
    if (!isWriting) return
    isInFlight = true
    write(fd, bytes, (error, count) => {
      isInFlight = false
      if (isBusy(error)) {
        clock.after(retryMs, next)
        return
      }
      if (error) buffer.discard()
      else buffer.written(count)
      clock.after(collectMs, next)
    })
  }

  process.once('exit', () => {
    // The write in flight completes before the process exits.
    if (isInFlight) buffer.written(buffer.take().length)
    writeLast(fd, buffer)
  })

  return {
    write: (line) => {
      buffer.add(line)
      if (isWriting) return
      isWriting = true
      clock.after(collectMs, next)
    },
    linesDropped: buffer.dropped,
  }
}

// Synchronous, at exit. A blocked reader gets one second.
function writeLast(fd: number, buffer: LineBuffer): void {
  const nap = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; tries < exitTries; ) {
    const bytes = buffer.take()
    if (bytes.length === 0) return
    try {
      buffer.written(writeSync(fd, bytes))
    } catch (error) {
      if (!isBusy(error)) return
      tries += 1
      Atomics.wait(nap, 0, 0, retryMs)
    }
  }
}

// The pipe is full.
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY')
}

type LineBuffer = ReturnType<typeof createLineBuffer>

const newline = 10
const nothing = Buffer.alloc(0)

// Waiting lines, and before them the bytes being written.
function createLineBuffer(recovered: (lines: number) => void) {
  let lines: string[] = []
  let rest = nothing
  let length = 0
  let isInLine = false
  let dropped = 0
  let unreported = 0

  const drop = (count: number) => {
    dropped += count
    unreported += count
  }
  return {
    add: (line: string) => {
      if (length + line.length > bufferMax) return drop(1)
      lines.push(line)
      length += line.length
    },
    take: (): Buffer => {
      if (rest.length > 0) return rest
      // Ends a truncated line, so that the next one can be parsed.
      rest = lines.length === 0 ? nothing : Buffer.from((isInLine ? '\n' : '') + lines.join(''))
      lines = []
      length = rest.length
      return rest
    },
    written: (count: number) => {
      if (count === 0) return
      isInLine = rest[count - 1] !== newline
      rest = rest.subarray(count)
      length -= count
      const lost = unreported
      unreported = 0
      if (lost > 0) recovered(lost)
    },
    discard: () => {
      // The end of a truncated line does not count as a line.
      drop(newlinesIn(rest) - (rest[0] === newline ? 1 : 0))
      length -= rest.length
      rest = nothing
    },
    dropped: () => dropped,
  }
}

function newlinesIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}
