// Where a text stops being JSON, and why. JSON.parse knows the position only sometimes. Called for a text that JSON.parse refused,
// to word the refusal. Every pattern is anchored at its position, so the time is proportional to the length of the text.

import type { JsonFault } from '@ringproof/contract/request-faults.ts'

type FoundFault = { readonly fault: JsonFault; readonly line: number; readonly column: number }

const whitespace = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- JSON has no control characters in a text
const goodCharacters = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const scalar = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![A-Za-z0-9_.])/y

// What may come next. A closing bracket may follow an opening one or a value, but not a comma.
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or closing' | 'end'

export function findJsonFault(text: string): FoundFault {
  const open: ('{' | '[')[] = []
  let at = 0
  let expected: Expected = 'value'
  const fail = (fault: JsonFault): FoundFault => ({ fault, ...placeOf(text, at) })
  const afterValue = (): Expected => (open.length === 0 ? 'end' : ', or closing')
  for (;;) {
    at = endOf(whitespace, text, at) ?? at
    const character = text[at]
    if (character === undefined) return fail(expected === 'end' ? 'unexpected' : 'endsEarly')
    const isText = character === '"' && /^(value|name)/.test(expected)
    if (isText) {
      at = endOf(goodCharacters, text, at) ?? at
      if (text[at] !== '"') return fail(faultInText(text[at]))
      at += 1
      expected = expected.startsWith('name') ? ':' : afterValue()
    } else if (expected === ':' && character === ':') {
      at += 1
      expected = 'value'
    } else if (expected === ', or closing' && character === ',') {
      at += 1
      expected = open.at(-1) === '{' ? 'name' : 'value'
    } else if (closes(character, expected, open.at(-1))) {
      at += 1
      open.pop()
      expected = afterValue()
    } else if (expected.startsWith('value') && (character === '{' || character === '[')) {
      at += 1
      open.push(character)
      expected = character === '{' ? 'name or }' : 'value or ]'
    } else {
      const end = expected.startsWith('value') ? endOf(scalar, text, at) : undefined
      if (end === undefined) return fail(faultAt(text, at, expected))
      at = end
      expected = afterValue()
    }
  }
}

function closes(character: string, expected: Expected, open: '{' | '[' | undefined): boolean {
  if (character === '}') return open === '{' && (expected === ', or closing' || expected === 'name or }')
  return character === ']' && open === '[' && (expected === ', or closing' || expected === 'value or ]')
}

function faultInText(character: string | undefined): JsonFault {
  if (character === undefined) return 'endsEarly'
  return character < ' ' ? 'controlCharacter' : 'unexpected'
}

function faultAt(text: string, at: number, expected: Expected): JsonFault {
  const character = text[at] ?? ''
  if (character === "'") return 'singleQuote'
  const isAfterComma = expected === 'name' || expected === 'value'
  if (isAfterComma && (character === '}' || character === ']') && /,\s*$/.test(text.slice(Math.max(0, at - 100), at))) {
    return 'trailingComma'
  }
  if (expected.startsWith('name') && /[A-Za-z_$]/.test(character)) return 'bareName'
  return expected.startsWith('value') && /^-?0[0-9]/.test(text.slice(at, at + 3)) ? 'leadingZero' : 'unexpected'
}

// Undefined: the pattern does not match there.
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
