import type { Import, Module } from './read-module.ts'
import type { Complaint, Law, Tree } from './read-tree.ts'

// Which module may import which in server/src: a row is the importer, a column is what it imports. `yes` allows every
// import, `type` only `import type`, `-` none. A name without an extension is a layer, a folder of server/src; of `process` what
// most layers use has columns for itself. A name with an extension is a file next to the layers. `contract` is the workspace
// package @ringproof/contract.
const tableText = `
                domain db   actions engine http web  cli  telephony webhooks numbering mail roles process/errors process/clock process/log process/config process start-server.ts serve.ts main.ts contract
domain          yes    -    -       -      -    -    -    -         -        -         -    -     yes            -             -           -              -       -               -        -       yes
db              yes    yes  -       -      -    -    -    -         -        -         -    -     yes            yes           yes         type           type    -               -        -       yes
actions         yes    yes  yes     -      -    -    -    -         -        -         -    -     yes            yes           yes         type           type    -               -        -       yes
engine          yes    yes  yes     yes    -    -    -    yes       yes      yes       -    -     yes            yes           yes         type           type    -               -        -       yes
http            yes    -    yes     -      yes  -    -    -         -        -         -    -     yes            yes           yes         type           type    -               -        -       yes
web             yes    type yes     -      -    yes  -    -         -        -         -    -     yes            yes           yes         type           type    -               -        -       yes
cli             yes    yes  yes     -      -    -    yes  -         -        -         -    -     yes            yes           yes         yes            yes     -               -        -       yes
telephony       yes    -    -       -      -    -    -    yes       -        -         -    -     yes            yes           yes         -              -       -               -        -       -
webhooks        yes    -    -       -      -    -    -    -         yes      -         -    -     yes            yes           yes         -              -       -               -        -       -
numbering       yes    -    -       -      -    -    -    -         -        yes       -    -     yes            yes           yes         -              -       -               -        -       -
mail            yes    -    -       -      -    -    -    -         -        -         yes  -     yes            yes           yes         -              -       -               -        -       type
roles           yes    yes  yes     yes    yes  yes  -    yes       yes      yes       yes  yes   yes            yes           yes         type           yes     -               -        -       yes
process         yes    -    -       -      -    -    -    -         -        -         -    -     yes            yes           yes         yes            yes     -               -        -       yes
start-server.ts yes    yes  yes     yes    yes  yes  yes  yes       yes      yes       yes  yes   yes            yes           yes         yes            yes     -               -        -       yes
serve.ts        yes    yes  yes     yes    yes  yes  yes  yes       yes      yes       yes  yes   yes            yes           yes         yes            yes     yes             -        -       yes
main.ts         yes    yes  yes     yes    yes  yes  yes  yes       yes      yes       yes  yes   yes            yes           yes         yes            yes     yes             yes      -       yes
`

// The domain has no side effects. It may use only the node modules, or the names from them, that have none. The only
// package it may use is the table of the world's numbering plans, which is pure data and functions.
const domainBuiltins = new Map<string, Set<string> | 'all'>([
  ['node:crypto', 'all'],
  ['node:assert', 'all'],
  ['node:assert/strict', 'all'],
  // A pure function of its input.
  ['node:zlib', new Set(['crc32'])],
  ['node:net', new Set(['BlockList', 'isIP', 'isIPv4', 'isIPv6'])],
  ['libphonenumber-js/max', 'all'],
])

const serverFolder = 'server/src/'
const contractPackage = '@ringproof/contract'

type Cell = 'yes' | 'type' | '-'

const table = parseTable(tableText)

export const importLaw: Law = (tree) => {
  const complaints = unknownStations(tree)
  for (const module of tree.modules) {
    const row = rowOf(module.path)
    if (row === undefined) continue
    for (const one of module.imports) {
      const text = faultOf(row, module, one)
      if (text !== undefined) complaints.push({ path: module.path, line: one.line, text })
    }
  }
  return complaints
}

export const contractLaw: Law = (tree) =>
  tree.modules
    .filter((module) => module.path.startsWith('contract/src/'))
    .flatMap((module) =>
      module.imports
        .filter((one) =>
          one.target === undefined ? one.specifier.startsWith('node:') : !one.target.startsWith('contract/'),
        )
        .map((one) => ({
          path: module.path,
          line: one.line,
          text: `imports ${one.specifier}: the contract imports only its own files and the packages it declares`,
        })),
    )

// The SDK runs in other people's programs, under Node, Bun and Deno: it may use only what all three have.
export const sdkLaw: Law = (tree) => {
  const declared = Object.keys({ ...tree.manifests.sdk.dependencies, ...tree.manifests.sdk.optionalDependencies })
  return [
    ...declared.map((name) => ({ path: 'sdk/package.json', text: `declares ${name}: the SDK has no dependencies` })),
    ...tree.modules
      .filter((module) => module.path.startsWith('sdk/src/'))
      .flatMap((module) =>
        module.imports
          .filter((one) => one.target?.startsWith('sdk/src/') !== true)
          .map((one) => ({
            path: module.path,
            line: one.line,
            text: `imports ${one.specifier}: the SDK imports only its own files`,
          })),
      ),
  ]
}

function faultOf(row: string, module: Module, one: Import): string | undefined {
  const column = columnOf(one)
  if (column === undefined) {
    if (one.target !== undefined && row !== 'main.ts')
      return `imports ${one.specifier}: server/src imports only its own files`
    return row === 'domain' ? domainFaultOf(one) : undefined
  }
  if (one.target === module.path) return undefined
  const cell = table.get(row)?.get(column)
  const what = one.target ?? one.specifier
  if (cell === 'type') return one.isTypeOnly ? undefined : `imports values of ${what}: ${row} may only import its types`
  if (cell === 'yes') return undefined
  return `imports ${what}: ${row} may import only ${allowed(row).join(', ')}`
}

function domainFaultOf({ specifier, names }: Import): string | undefined {
  const known = domainBuiltins.get(specifier)
  if (known === undefined) {
    return `imports ${specifier}: of node and packages domain knows only ${[...domainBuiltins.keys()].join(', ')}`
  }
  const foreign = known === 'all' ? undefined : names.find((name) => !known.has(name))
  if (known === 'all' || foreign === undefined) return undefined
  return `imports ${foreign} of ${specifier}: domain knows only ${[...known].join(', ')} of it`
}

function allowed(row: string): string[] {
  const cells = [...(table.get(row) ?? [])].filter(([, cell]) => cell !== '-')
  return cells.map(([column, cell]) => (cell === 'type' ? `types of ${column}` : column))
}

// A module outside server/src has no row. A module in an unknown layer has none either: that is a separate complaint.
function rowOf(path: string): string | undefined {
  const name = placeOf(path)?.split('/')[0]
  return name !== undefined && table.has(name) ? name : undefined
}

function columnOf(one: Import): string | undefined {
  if (one.target === undefined) {
    const isContract = one.specifier === contractPackage || one.specifier.startsWith(`${contractPackage}/`)
    return isContract ? 'contract' : undefined
  }
  return placeOf(one.target)
}

// The layer that a path of server/src is in, or the file next to the layers. `process/log/sink.ts` is in process/log.
function placeOf(path: string): string | undefined {
  if (!path.startsWith(serverFolder)) return undefined
  const [layer = '', second = ''] = path.slice(serverFolder.length).split('/')
  const part = `${layer}/${second.replace(/\.ts$/, '')}`
  return table.get('main.ts')?.has(part) === true ? part : layer
}

function unknownStations(tree: Tree): Complaint[] {
  const places = tree.modules
    .map((module) => placeOf(module.path)?.split('/')[0])
    .filter((place) => place !== undefined)
  return [...new Set(places)]
    .filter((place) => !table.has(place))
    .map((place) => ({ path: `${serverFolder}${place}`, text: 'is a layer that the import table does not list' }))
}

function parseTable(text: string): Map<string, Map<string, Cell>> {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return new Map(
    rows.map(([row = '', ...cells]) => {
      if (cells.length !== header.length) throw new Error(`The row ${row} of the import table is incomplete.`)
      return [row, new Map(cells.map((cell, at) => [header[at] ?? '', asCell(cell)]))]
    }),
  )
}

function asCell(cell: string): Cell {
  if (cell === 'yes' || cell === 'type' || cell === '-') return cell
  throw new Error(`A cell of the import table is yes, type or -, not ${cell}.`)
}
