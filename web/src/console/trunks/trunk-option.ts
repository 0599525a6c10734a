// The values of a trunk's options, as they are typed.

import {
  type TrunkOption,
  type TrunkOptionsIn,
  type TrunkOptionValues,
  trunkOptions,
} from '@ringproof/contract/lists/trunk-options.ts'

export type FormOption = TrunkOptionsIn<'connection' | 'limits'>

// A switch is on or off, everything else is a text.
export type Typed<Name extends FormOption> = Readonly<Record<Name, string | boolean>>

export function typedOf<Name extends FormOption>(
  names: readonly Name[],
  values: Pick<TrunkOptionValues, Name>,
): Typed<Name> {
  const typed = names.map((name) => {
    const value = values[name]
    return [name, typeof value === 'boolean' ? value : String(value ?? '')] as const
  })
  return Object.fromEntries(typed) as Typed<Name>
}

// Undefined: one of them cannot be.
export function valuesOf<Name extends FormOption>(typed: Typed<Name>): Pick<TrunkOptionValues, Name> | undefined {
  const values = (Object.keys(typed) as Name[]).map((name) => [name, valueOf(name, typed[name])] as const)
  if (values.some(([, value]) => value === undefined)) return undefined
  return Object.fromEntries(values) as unknown as Pick<TrunkOptionValues, Name>
}

// Undefined: it cannot be.
export function valueOf(name: FormOption, typed: string | boolean): unknown {
  const option: TrunkOption = trunkOptions[name]
  if (typeof typed === 'boolean') return typed
  const text = typed.trim()
  if (text === '' && option.absent !== undefined) return option.absent.value
  switch (option.kind) {
    case 'whole':
      return inRange(/^\d+$/.test(text) ? Number(text) : Number.NaN, option.min, option.max)
    case 'rate':
      // A comma is a decimal point in Russian.
      return /^\d+([.,]\d{1,3})?$/.test(text) && !/^[0.,]+$/.test(text)
        ? inRange(Number(text.replace(',', '.')), 0, option.max)
        : undefined
    case 'text':
      return option.pattern.test(text) ? text : undefined
    case 'choice':
    case 'switch':
      return text
  }
}

function inRange(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}
