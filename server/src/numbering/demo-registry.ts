// A registry for demos, in the format of the real one: fictitious operators and places hold every mobile code, so that any
// mobile number has an operator, a region and a city. The first import of the real registry replaces it.

import { Readable } from 'node:stream'
import { importSources } from './import-registry.ts'
import { demoSource, readCurrent, versionOf } from './pointer.ts'

// False if the directory already has numbering data, which stays.
export async function importDemoRegistry(dir: string): Promise<boolean> {
  if (versionOf(await readCurrent(dir)) !== '') return false
  const bytes = Buffer.from(demoText())
  await importSources(dir, [{ name: demoSource, chunks: () => Readable.from([bytes]) }], false)
  return true
}

const holders = [
  { organisation: 'ООО "Ромашка Связь"', inn: '0000000001', region: 'Лесная область', city: 'г. Лесной' },
  { organisation: 'АО "Камыш Телеком"', inn: '0000000002', region: 'Озёрный край', city: 'г. Камышовый' },
  { organisation: 'ПАО "Облако Мобайл"', inn: '0000000003', region: 'Полевая область', city: 'г. Полевой' },
] as const

function demoText(): string {
  const rows = Array.from({ length: 100 }, (_, index) => {
    const { organisation, inn, region, city } = holders[index % holders.length] ?? holders[0]
    return `${900 + index};0000000;9999999;10000000;${organisation};${region};${city}|${region};${inn}\n`
  })
  return `АВС/ DEF;От;До;Емкость;Оператор;Регион;Территория ГАР;ИНН\n${rows.join('')}`
}
