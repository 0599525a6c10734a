// The search for what must not be there: subscribers' numbers and keys in clear in the files of PostgreSQL and of JetStream
// and in what every process has written, codes in the lines of logs, and anything of a call order on the bus. All numbers of a run begin alike, so each file is
// read once for some beginnings, and what stands there is looked up.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Recorder, ScanLine } from './histories.ts'

export type Sought = {
  readonly numbers: ReadonlySet<string>
  // API keys and secrets of webhooks.
  readonly keys: readonly string[]
  // A number that was seeded; what finds no number but this one has worked.
  readonly control: string
  // Codes by the id of their verification.
  readonly codes: ReadonlyMap<string, string>
}

const beginning = '7907'
const digits = 11

export function scanFiles(
  place: ScanLine['place'],
  directory: string,
  sought: Sought,
  recorder: Pick<Recorder, 'scan'>,
): void {
  for (const file of filesBelow(directory)) {
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

// Each of the numbers that stands there in clear, in UTF-16, in hexadecimal or in base64 at any of its offsets.
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

// At offset n a group of three bytes has n bytes of something else before the number. The letters that are made of the
// number alone are sought; those at the edges, which are not, are left out and filled in by what a number must look like.
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

// Four digits are in every file by randomBytes; the name of the field they stand in is not, nor is that of our own number.
export function hasOrder(content: Buffer): boolean {
  return orderWords.some((word) => content.includes(word))
}

const orderWords = ['"code":"', '"callerNumber":'].flatMap((word) => [
  Buffer.from(word),
  ...[0, 1, 2].map((offset) => {
    // The letters that are made of the word alone.
    const text = Buffer.from('x'.repeat(offset) + word).toString('base64')
    return Buffer.from(text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + word.length) * 8) / 6)))
  }),
])

// A line that tells of a verification and holds its code as a word, or has a field of that name.
export function hasCode(text: string, codes: ReadonlyMap<string, string>): boolean {
  return text.split('\n').some((line) => {
    // A refusal has a number for its code; a verification's is a text.
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
