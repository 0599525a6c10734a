// Registry files of made-up providers, in the current format. Every range of one file has the same letter as holder,
// region and city, so that a response that mixes two files shows it.

import { writeFileSync } from 'node:fs'

const header = 'АВС/ DEF;От;До;Емкость;Оператор;Регион;Территория ГАР;ИНН'
const capacity = 10_000

// All of area code 907, in a thousand ranges.
export function writeLetteredRegistry(path: string, letter: string): void {
  const rows = Array.from({ length: 1_000 }, (_, at) => {
    const first = at * capacity
    const digits = (value: number) => String(value).padStart(7, '0')
    const holder = `ООО "Связь ${letter}"`
    const place = `г. Город ${letter}|Край ${letter}`
    // Each range has a different holder, or equal neighbours would be merged.
    const inn = `${letter.codePointAt(0)}${String(at).padStart(7, '0')}`.padStart(10, '0')
    return [907, digits(first), digits(first + capacity - 1), capacity, holder, place, place, inn].join(';')
  })
  writeFileSync(path, `\uFEFF${[header, ...rows].join('\n')}\n`)
}
