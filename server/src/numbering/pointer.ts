// The one file that says which data is in force. Everything it names is written before it and never changed after, and it
// is itself renamed into place: whoever reads it sees one whole version. The version before stays beside it, to go back.

import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import type { FileSeal } from './load-file.ts'

// By the first digit of the codes inside.
export const registryKinds = { 3: 'ABC-3xx', 4: 'ABC-4xx', 8: 'ABC-8xx', 9: 'DEF-9xx' } as const
export type KindDigit = keyof typeof registryKinds
export const kindDigits = [3, 4, 8, 9] as const satisfies readonly KindDigit[]

export type RegistryFile = FileSeal & {
  readonly kind: KindDigit
  // The operator's file that it was made of.
  readonly source: string
  readonly rows: number
  readonly ranges: number
  readonly numbers: number
  readonly organisations: number
}

export type PortedFile = FileSeal & {
  readonly source: string
  readonly numbers: number
  // The time that stands in the source's name, such as 202611150200; '' where there is none.
  readonly asOf: string
}

// What was ported or returned since the portability file was made.
export type ChangesFile = FileSeal & { readonly changes: number; readonly asOf: string }

export type Pointer = {
  readonly format: 1
  readonly registries: readonly RegistryFile[]
  readonly ported?: PortedFile
  readonly changes?: ChangesFile
}

export const emptyPointer: Pointer = { format: 1, registries: [] }

const currentName = 'current.json'
const previousName = 'previous.json'

export async function readCurrent(dir: string): Promise<Pointer> {
  return (await readPointer(join(dir, currentName))) ?? emptyPointer
}

// Undefined when there is nothing to go back to.
export function readPrevious(dir: string): Promise<Pointer | undefined> {
  return readPointer(join(dir, previousName))
}

export function filesOf({ registries, ported, changes }: Pointer): readonly FileSeal[] {
  return [...registries, ...(ported ? [ported] : []), ...(changes ? [changes] : [])]
}

// When the current version came into force, in milliseconds since 1970; undefined when nothing was imported.
export async function importedAtMs(dir: string): Promise<number | undefined> {
  try {
    return (await stat(join(dir, currentName))).mtimeMs
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

// Names the data by what is inside: the same files give the same version on every machine.
export function versionOf(pointer: Pointer): string {
  const seals = filesOf(pointer).map(({ sha256 }) => sha256)
  return seals.length === 0 ? '' : createHash('sha256').update(seals.toSorted().join()).digest('hex').slice(0, 12)
}

// Puts the next version in force, provided that nobody else has put theirs meanwhile. Files that neither this version nor
// the one before names are removed.
export async function publish(dir: string, before: Pointer, next: Pointer): Promise<void> {
  const current = await readCurrent(dir)
  if (versionOf(current) !== versionOf(before)) {
    throw new UsageError('Another import has finished meanwhile; nothing was changed. Run this one again.')
  }
  await writeWhole(dir, previousName, JSON.stringify(before))
  await writeWhole(dir, currentName, JSON.stringify(next))
  await removeUnnamed(dir, [before, next])
}

// Makes a file appear with all that is inside, or not at all, whatever happens to the machine.
export async function writeWhole(dir: string, name: string, data: string | Uint8Array): Promise<void> {
  try {
    await writeAndRename(dir, name, data)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${join(dir, name)} cannot be written: ${why}`)
  }
}

async function writeAndRename(dir: string, name: string, data: string | Uint8Array): Promise<void> {
  await mkdir(dir, { recursive: true })
  const temporary = join(dir, `${name}.tmp`)
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(data)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(dir, name))
  await syncDirectory(dir)
}

// A rename is kept only when the directory is.
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readPointer(path: string): Promise<Pointer | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  const pointer = parsePointer(text)
  if (pointer?.format === 1) return pointer
  throw new UsageError(`${path} is damaged, or of another version of this program. Remove it and import again.`)
}

function parsePointer(text: string): Pointer | undefined {
  try {
    return JSON.parse(text) as Pointer
  } catch {
    return undefined
  }
}

async function removeUnnamed(dir: string, pointers: readonly Pointer[]): Promise<void> {
  const named = new Set(pointers.flatMap(filesOf).map(({ file }) => file))
  for (const name of await readdir(dir)) {
    if (/^(registry|ported|changes)-.*\.(bin|json)$/.test(name) && !named.has(name)) await rm(join(dir, name))
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
