// JSON lines on standard output, or readable lines if that is a terminal. Bodies, queries and headers are never logged. Error
// texts are not under our control, so anything that could be a key or a phone number is removed from them.

import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Clock } from '../clock.ts'
import { createLogSink } from './sink.ts'

export type { Logger } from 'pino'

// The log of this process, and the count of lines that could not be written.
export function createProcessLog(clock: Clock): { readonly log: Logger; readonly linesDropped: () => number } {
  // Reading isTTY also makes a pipe non-blocking: a reader that stops reading must not block us.
  if (process.stdout.isTTY) {
    return {
      log: createLog({ write: (line) => void process.stdout.write(`${formatForTerminal(line)}\n`) }),
      linesDropped: () => 0,
    }
  }
  const sink = createLogSink(1, clock, (lines) => log.warn({ lines }, 'log lines dropped'))
  const log = createLog(sink)
  return { log, linesDropped: sink.linesDropped }
}

export function createLog(destination: DestinationStream): Logger {
  return pino(
    {
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: scrubbedError },
    },
    destination,
  )
}

// 32 letters and digits may be a key, whsec_ starts a secret, seven or more digits may be a phone number. Control characters
// other than the line breaks of a stack could control the reader's terminal.
export function scrubbed(text: string): string {
  return text
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]/gu, '\uFFFD')
    .replaceAll(/whsec_[A-Za-z0-9+/=]*/g, 'whsec_***')
    .replaceAll(/[A-Za-z0-9]{32,}/g, '***')
    .replaceAll(/\d{7,}/g, '***')
}

// A cause may refer back to its error, so the chain is limited.
const causesMax = 5

function scrubbedError(error: unknown, causesLeft: unknown = causesMax): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: scrubbed(String(error)) }
  const left = typeof causesLeft === 'number' ? causesLeft : causesMax
  return {
    type: scrubbed(error.name),
    message: scrubbed(error.message),
    stack: scrubbed(error.stack ?? ''),
    ...('code' in error ? { code: scrubbed(String(error.code)) } : {}),
    ...(error.cause === undefined || left === 0 ? {} : { cause: scrubbedError(error.cause, left - 1) }),
  }
}

function formatForTerminal(line: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const details = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack)}` : ''
  return `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${String(msg)} ${details.join(' ')}${stack}`
}
