// Parsers for what an operator types: settings of a process, settings of a service, options of the command line. Each one says
// what it expects, in words that follow "must be" or "takes".

import { parseText } from './text.ts'

export type Parser<T> = {
  readonly expects: string
  // Undefined: not such a value.
  readonly parse: (text: string) => T | undefined
}

export function oneOf<T extends string>(...words: readonly T[]): Parser<T> {
  return { expects: `one of: ${words.join(', ')}`, parse: (text) => words.find((word) => word === text) }
}

export const onOff: Parser<boolean> = {
  expects: 'on or off',
  parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
}

export function integer(min: number, max: number): Parser<number> {
  return numberIn(/^\d+$/, { min, max, expects: `a whole number from ${min} to ${max}` })
}

export function decimal(min: number, max: number): Parser<number> {
  return numberIn(/^\d+(\.\d+)?$/, { min, max, expects: `a number from ${min} to ${max}` })
}

// One line, without the blanks around it.
export function lineOf(lengthMin: number, lengthMax: number): Parser<string> {
  return {
    expects: `${lengthMin} to ${lengthMax} characters on one line`,
    parse: (text) => parseText(text, lengthMin, lengthMax),
  }
}

// The text itself, where it passes.
export function textThat(passes: (text: string) => boolean, expects: string): Parser<string> {
  return { expects, parse: (text) => (passes(text) ? text : undefined) }
}

// The word stands for the value; anything else goes to the parser.
export function withWord<T, V>(word: string, value: V, { expects, parse }: Parser<T>): Parser<T | V> {
  return { expects, parse: (text) => (text === word ? value : parse(text)) }
}

// Comma-separated, each once.
export function listOf<T>({ expects, parse }: Parser<T>): Parser<readonly T[]> {
  return {
    expects,
    parse: (text) => {
      const items = text === '' ? [] : text.split(',').map((item) => parse(item.trim()))
      return items.every((item) => item !== undefined) ? [...new Set(items)] : undefined
    },
  }
}

type NumberRange = { readonly min: number; readonly max: number; readonly expects: string }

function numberIn(spelling: RegExp, { min, max, expects }: NumberRange): Parser<number> {
  return {
    expects,
    parse: (text) => {
      const value = Number(text)
      return spelling.test(text) && value >= min && value <= max ? value : undefined
    },
  }
}
