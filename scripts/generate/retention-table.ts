// The table of docs/operations/privacy.md that says how long everything is kept.

import { inEnglish, type Period } from '../../server/src/domain/values/period.ts'
import { retention } from '../../server/src/domain/values/retention.ts'

export const personalDataPage = 'docs/operations/privacy.md'

const heading = '## How long everything is kept\n'

// Between its introduction and the next section.
export function withRetention(text: string): string {
  const at = text.indexOf(heading)
  if (at < 0) throw new Error(`${personalDataPage} has no section "${heading.trim()}"`)
  const [section = ''] = text
    .slice(at)
    .split(/(?<=\n)(?=## )/)
    .slice(0, 1)
  const introduction = section.slice(0, section.indexOf('| where |'))
  return text.replace(section, () => `${introduction}${table()}\n`)
}

type Row = { readonly kept: Period; readonly in: readonly string[]; readonly since?: string; readonly setting?: string }

function table(): string {
  const rows = Object.values<Row>(retention).map(({ kept, in: places, since = 'the time it was written', setting }) => {
    const period = setting === undefined ? inEnglish(kept) : `\`${setting}\`, ${inEnglish(kept)} by default`
    return `| ${places.map(named).join(', ')} | ${period} | ${since} |`
  })
  return ['| where | how long | counted from |', '|---|---|---|', ...rows, ''].join('\n')
}

// Tables in code style.
function named(place: string): string {
  return place.replace(/^[a-z_]+$|\b[a-z]+(?:_[a-z]+)+\b/, '`$&`')
}
