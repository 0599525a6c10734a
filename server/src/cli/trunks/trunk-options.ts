// The options of `trunks add` and `trunks set`, and how their values are parsed.

import { readFileSync } from 'node:fs'
import {
  type TrunkOption,
  type TrunkOptionName,
  trunkOptionNames,
  trunkOptions,
} from '@ringproof/contract/lists/trunk-options.ts'
import { anyCountry } from '../../domain/money/tariff.ts'
import { isCountryCode } from '../../domain/numbers/country.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { integer, listOf, oneOf, onOff, type Parser, textThat, withWord } from '../../domain/values/parsers.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand } from '../core/context.ts'
import { parseOption } from '../core/parse-option.ts'

export type TrunkOptions = Readonly<Record<string, string | undefined>>

export function addTrunkOptions(command: CliCommand): CliCommand {
  for (const name of trunkOptionNames) {
    const option: TrunkOption = trunkOptions[name]
    const values = [valuesOf(option), ...(option.absent ? [option.absent.word] : [])].join('|')
    command.option(`${flagOf(name)} <${values}>`, option.help)
  }
  return command.option('--password-file <path>', 'file with the password of --user')
}

// The password is returned separately, because it has to be sealed.
export function parseTrunkOptions(options: TrunkOptions): {
  readonly changes: Partial<Trunk>
  readonly password: string | undefined
} {
  const given = trunkOptionNames.flatMap((name) => {
    const attribute = attributeOf(name)
    const text = options[attribute]
    return text === undefined ? [] : [[name, parseOption(attribute, parserOf(trunkOptions[name]), text)] as const]
  })
  const { passwordFile } = options
  const file = { expects: 'a file with one line', parse: readPassword }
  return {
    changes: Object.fromEntries(given),
    password: passwordFile === undefined ? undefined : parseOption('passwordFile', file, passwordFile),
  }
}

// Of a new trunk.
export function assertNothingMissing(changes: Partial<Trunk>): void {
  const required = trunkOptionNames.filter((name) => 'isRequired' in trunkOptions[name])
  if (required.some((name) => changes[name] === undefined)) {
    throw new UsageError(`A trunk needs ${required.map(flagOf).join(' and ')}.`)
  }
}

export function flagOf(name: TrunkOptionName): string {
  const option: TrunkOption = trunkOptions[name]
  return `--${option.flag ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

// What commander makes of the flag.
function attributeOf(name: TrunkOptionName): string {
  return flagOf(name)
    .slice(2)
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function valuesOf(option: TrunkOption): string {
  switch (option.kind) {
    case 'whole':
      return `${option.min}-${option.max}`
    case 'rate':
      return 'n'
    case 'text':
      return option.shape
    case 'choice':
      return option.of.join('|')
    case 'countries':
      return 'codes'
    case 'switch':
      return 'on|off'
  }
}

function parserOf(option: TrunkOption): Parser<unknown> {
  const { absent } = option
  return absent === undefined ? valueParser(option) : withWord(absent.word, absent.value, valueParser(option))
}

function valueParser(option: TrunkOption): Parser<unknown> {
  switch (option.kind) {
    case 'whole':
      return integer(option.min, option.max)
    case 'rate':
      return { expects: 'a number above 0, such as 25 or 0.5', parse: (text) => parseRate(text, option.max) }
    case 'text':
      return textThat((text) => option.pattern.test(text), option.expects)
    case 'choice':
      return oneOf(...option.of)
    case 'countries':
      return { expects: 'two-letter ISO 3166 codes in capitals, such as RU,KZ, or *', parse: parseCountries }
    case 'switch':
      return onOff
  }
}

// A carrier may allow less than one call per second.
function parseRate(text: string, max: number): number | undefined {
  const rate = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  return rate > 0 && rate <= max ? rate : undefined
}

function parseCountries(text: string): readonly string[] | undefined {
  if (text === anyCountry) return [anyCountry]
  return text === '' ? undefined : listOf(textThat(isCountryCode, 'a country code')).parse(text)
}

// No content of the file gets into an error message.
function readPassword(path: string): string | undefined {
  try {
    const password = readFileSync(path, 'utf8').trim()
    return password !== '' && !/[\r\n]/.test(password) ? password : undefined
  } catch {
    return undefined
  }
}
