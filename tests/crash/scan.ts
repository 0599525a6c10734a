// The search for secrets: subscriber numbers and keys in clear text in the files of PostgreSQL and JetStream and in
// every log, codes in log lines, and any part of a call order in a NATS message. All numbers of a run have a common
// prefix, so each file is read once for a few prefixes, and each match is looked up.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Recorder, ScanLine } from './histories.ts'

export type Sought = {
  readonly numbers: ReadonlySet<string>
  // API keys and webhook secrets.
  readonly keys: readonly string[]
  // A seeded number; a search that finds only this one works.
  readonly control: string
  // Codes by verification ID.
  readonly codes: ReadonlyMap<string, string>
}

const beginning = '7907'
const digits = 11

export function scanFiles(
  place: ScanLine['place'],
  directory: string,
  sought: Sought,
  recorder: Pick<Recorder, 'scan'>,
  // Files that were last written before this were searched already.
  sinceMs = 0,
): void {
  for (const file of filesBelow(directory)) {
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1) < sinceMs) continue
    const content = readFileSync(file)
    const where = relative(directory, file)
    for (const number of numbersIn(content, sought.numbers)) {
      recorder.scan({ place, what: number === sought.control ? 'control' : 'number', where })
    }
    if (sought.keys.some((key) => content.includes(key))) recorder.scan({ place, what: 'key', where })
    if (place === 'jetstream' && hasOrder(content)) recorder.scan({ place, what: 'code', where })
    if (place === 'logs' && hasCode(content.toString(), sought.codes)) recorder.scan({ place, what: 'code', where })
  }
}

// Every number found in clear text, UTF-16, hexadecimal or base64 at any of its offsets.
export function numbersIn(content: Buffer, numbers: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { needle, length, read } of spellings) {
    for (let at = content.indexOf(needle); at >= 0; at = content.indexOf(needle, at + 1)) {
      const number = read(content.subarray(at, at + length))
      if (number !== undefined && numbers.has(number)) found.add(number)
    }
  }
  return found
}

type Spelling = {
  readonly needle: Buffer
  readonly length: number
  readonly read: (bytes: Buffer) => string | undefined
}

const spellings: readonly Spelling[] = [
  { needle: Buffer.from(beginning), length: digits, read: (bytes) => bytes.toString('latin1') },
  {
    needle: Buffer.from(beginning, 'utf16le'),
    length: digits * 2,
    read: (bytes) => bytes.toString('utf16le'),
  },
  {
    needle: Buffer.from(Buffer.from(beginning).toString('hex')),
    length: digits * 2,
    read: (bytes) => Buffer.from(bytes.toString('latin1'), 'hex').toString('latin1'),
  },
  ...[0, 1, 2].map(base64Spelling),
]

// At offset n a base64 group of three bytes starts with n foreign bytes. Characters that depend on the number alone are
// searched for; those at the edges are left out and reconstructed from what a number must look like.
function base64Spelling(offset: number): Spelling {
  const whole = Buffer.from(`${'x'.repeat(offset)}${beginning}`).toString('base64')
  const first = Math.ceil((offset * 8) / 6)
  const needle = whole.slice(first, Math.floor(((offset + beginning.length) * 8) / 6))
  const lettersOfNumber = Math.ceil(((offset + digits) * 8) / 6) - first
  return {
    needle: Buffer.from(needle),
    length: lettersOfNumber,
    read: (bytes) => {
      const filled = Buffer.from('x'.repeat(offset)).toString('base64').slice(0, first)
      const text = Buffer.from(`${filled}${bytes.toString('latin1')}`, 'base64').toString('latin1')
      const at = text.indexOf(beginning.slice(1))
      return at < 0 ? undefined : `${beginning.slice(0, 1)}${text.slice(at, at + digits - 1)}`
    },
  }
}

// Any file may happen to contain four digits; the name of their field it does not, nor that of the caller number.
export function hasOrder(content: Buffer): boolean {
  return orderWords.some((word) => content.includes(word))
}

const orderWords = ['"code":"', '"callerNumber":'].flatMap((word) => [
  Buffer.from(word),
  ...[0, 1, 2].map((offset) => {
    // The characters that depend on the word alone.
    const text = Buffer.from('x'.repeat(offset) + word).toString('base64')
    return Buffer.from(text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + word.length) * 8) / 6)))
  }),
])

// A line about a verification that contains its code as a word, or has a field of that name.
export function hasCode(text: string, codes: ReadonlyMap<string, string>): boolean {
  return text.split('\n').some((line) => {
    // The code of a refusal is a number; that of a verification is text.
    if (/"code":"\d{4}"/.test(line)) return true
    const id = /"vendor_id":(\d+)/.exec(line)?.[1]
    const code = id === undefined ? undefined : codes.get(id)
    if (code === undefined) return false
    const rest = line.replace(/"time":"[^"]*"/, '').replace(/"(vendor_id|\w+_ms)":\d+/g, '')
    return new RegExp(`(?<!\\d)${code}(?!\\d)`).test(rest)
  })
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
