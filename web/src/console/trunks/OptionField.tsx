import { type TrunkOption, type TrunkOptionValues, trunkOptions } from '@ringproof/contract/lists/trunk-options.ts'
import { useFormats } from '../../formats.ts'
import { Field, Select, Tick } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'
import { type FormOption, valueOf } from './trunk-option.ts'

// One option of a trunk, as its kind is typed.
export function OptionField({
  name,
  typed,
  onChange,
  isFirst = false,
  isChecked = true,
  disabled = false,
}: {
  readonly name: FormOption
  readonly typed: string | boolean
  readonly onChange: (typed: string | boolean) => void
  readonly isFirst?: boolean
  // False: a value that cannot be is not marked yet.
  readonly isChecked?: boolean
  readonly disabled?: boolean
}) {
  const words = useScreenWords('trunks')
  const choices = useChoices()
  const bad = useBad(name)
  const option: TrunkOption = trunkOptions[name]
  const { label, hint }: OptionWords = words.options[name]
  if (typeof typed === 'boolean') {
    return (
      <Tick isOn={typed} onChange={onChange}>
        {label}
      </Tick>
    )
  }
  if (option.kind === 'choice') {
    const texts: Readonly<Record<string, string>> = choices[name as ChoiceName]
    return (
      <Select
        label={label}
        hint={hint}
        value={typed}
        onChange={onChange}
        of={option.of.map((value) => ({ value, text: texts[value] ?? value }))}
      />
    )
  }
  return (
    <Field
      label={label}
      hint={hint}
      error={isChecked && valueOf(name, typed) === undefined ? bad : undefined}
      isFirst={isFirst}
      disabled={disabled}
      autoComplete="off"
      inputMode={inputModes[option.kind]}
      value={typed}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const inputModes = {
  whole: 'numeric',
  rate: 'decimal',
  text: 'text',
  countries: 'text',
  switch: 'none',
} as const

type ChoiceName = {
  [Name in FormOption]: (typeof trunkOptions)[Name] extends { readonly kind: 'choice' } ? Name : never
}[FormOption]
type Choices = { readonly [Name in ChoiceName]: Readonly<Record<TrunkOptionValues[Name], string>> }

function useChoices(): Choices {
  const { formats, callerIds } = useScreenWords('trunks')
  return {
    transport: { udp: 'UDP', tcp: 'TCP', tls: 'TLS' },
    callerFormat: formats,
    calledFormat: formats,
    callerIdHeader: callerIds,
  }
}

type OptionWords = { readonly label: string; readonly hint?: string; readonly bad?: string }

// What is said of a value that cannot be.
function useBad(name: FormOption): string {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  const option: TrunkOption = trunkOptions[name]
  const { bad = '' }: OptionWords = words.options[name]
  if (option.kind === 'whole') return words.badWhole(formats.number(option.min), formats.number(option.max))
  return option.kind === 'rate' ? words.badRate : bad
}
