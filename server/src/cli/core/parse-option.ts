import type { Parser } from '../../domain/values/parsers.ts'
import { UsageError } from '../../process/errors.ts'

// `name` is what commander makes of the flag: calledPrefix for --called-prefix.
export function parseOption<T>(name: string, { expects, parse }: Parser<T>, text: string): T {
  const value = parse(text)
  if (value === undefined) throw new UsageError(`${flagOf(name)} takes ${expects}, not "${text}".`)
  return value
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
