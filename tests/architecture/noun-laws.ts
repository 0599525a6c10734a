import type { Complaint, Law } from './read-tree.ts'

// The same nouns stand inside each layer, so a noun has one name from the database to the page. This is also their order: a module
// imports no noun that comes after its own. `core` is machinery that knows no noun, `crypto` and `values` are what all of them use.
const rooms = [
  'core',
  'crypto',
  'values',
  'people',
  'numbers',
  'money',
  'accounts',
  'requests',
  'protection',
  'trunks',
  'webhooks',
  'notices',
  'installation',
  'verifications',
  'phones',
] as const

const layers = ['actions', 'cli', 'db', 'domain', 'engine', 'web/handlers']
// Beside the rooms: what lists a whole layer, and SQL.
const beside = new Set(['cli/program.ts', 'web/handlers/all.ts'])
const withoutModules = new Set(['db/functions', 'db/migrations'])

const folderFilesMax = 40
// Squashed with the first release.
const largeFolders = new Set(['server/src/db/migrations'])

export const nounLaw: Law = (tree) =>
  tree.files.flatMap((path) => {
    const { layer, room, rest } = placeOf(path)
    if (layer === undefined || beside.has(`${layer}/${rest}`) || withoutModules.has(`${layer}/${room}`)) return []
    if (!path.endsWith('.ts') || isRoom(room)) return []
    return [{ path, text: `is in no noun of ${layer}: they are ${rooms.join(', ')}` }]
  })

export const nounOrderLaw: Law = (tree) =>
  tree.modules.flatMap(({ path, imports }) => {
    const from = placeOf(path)
    if (!isRoom(from.room)) return []
    return imports.flatMap(({ line, target }): Complaint[] => {
      const to = placeOf(target ?? '')
      if (to.layer !== from.layer || !isRoom(to.room) || placeIn(to.room) <= placeIn(from.room)) return []
      return [{ path, line, text: `imports ${target}: ${to.room} comes after ${from.room}` }]
    })
  })

export const folderLaw: Law = (tree) => {
  const counts = new Map<string, number>()
  for (const path of tree.files.filter((one) => /^(server|web)\/src\//.test(one))) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > folderFilesMax && !largeFolders.has(folder))
    .map(([path, count]) => ({ path, text: `has ${count} files: a folder has at most ${folderFilesMax}` }))
}

// An action is found by its verb.
export const verbLaw: Law = (tree) => {
  const known = new Map<string, string>()
  return tree.modules
    .filter(({ path }) => path.startsWith('server/src/actions/'))
    .flatMap(({ path, functions }) =>
      functions
        .filter(({ isExported }) => isExported)
        .flatMap(({ name, line }) => {
          const other = known.get(name)
          known.set(name, path)
          return other === undefined ? [] : [{ path, line, text: `exports ${name}, and so does ${other}` }]
        }),
    )
}

type Room = (typeof rooms)[number]

function placeIn(room: string | undefined): number {
  return rooms.findIndex((one) => one === room)
}

function isRoom(name: string | undefined): name is Room {
  return (rooms as readonly (string | undefined)[]).includes(name)
}

// The room is the folder below the layer; a file beside the rooms has none.
function placeOf(path: string): { readonly layer?: string; readonly room?: string; readonly rest?: string } {
  const layer = layers.find((one) => path.startsWith(`server/src/${one}/`))
  if (layer === undefined) return {}
  const rest = path.slice(`server/src/${layer}/`.length)
  const at = rest.indexOf('/')
  return at === -1 ? { layer, rest } : { layer, rest, room: rest.slice(0, at) }
}
