// The file that names the data in use. All files it names are written first and never changed, and it is renamed into place,
// so a reader always sees one complete version. The previous version stays beside it for a rollback.

import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../process/errors.ts'
import type { FileSeal } from './load-file.ts'

// By the first digit of the codes.
export const registryKinds = { 3: 'ABC-3xx', 4: 'ABC-4xx', 8: 'ABC-8xx', 9: 'DEF-9xx' } as const
export type KindDigit = keyof typeof registryKinds
export const kindDigits = [3, 4, 8, 9] as const satisfies readonly KindDigit[]

export type RegistryFile = FileSeal & {
  readonly kind: KindDigit
  // The operator's source file.
  readonly source: string
  readonly rows: number
  readonly ranges: number
  readonly numbers: number
  readonly organisations: number
}

type PortedFile = FileSeal & {
  readonly source: string
  readonly numbers: number
  // The time in the source's name, such as 202611150200; '' if there is none.
  readonly asOf: string
}

// Numbers ported or returned since the portability file.
type ChangesFile = FileSeal & { readonly changes: number; readonly asOf: string }

export type Pointer = {
  readonly format: 1
  readonly registries: readonly RegistryFile[]
  readonly ported?: PortedFile
  readonly changes?: ChangesFile
}

// The source of the fictitious registry that `ringproof seed demo` imports.
export const demoSource = 'demo-DEF-9xx.csv'

export const emptyPointer: Pointer = { format: 1, registries: [] }

const currentName = 'current.json'
const previousName = 'previous.json'

export async function readCurrent(dir: string): Promise<Pointer> {
  return (await readPointer(join(dir, currentName))) ?? emptyPointer
}

// Undefined if there is no previous version.
export function readPrevious(dir: string): Promise<Pointer | undefined> {
  return readPointer(join(dir, previousName))
}

export function filesOf({ registries, ported, changes }: Pointer): readonly FileSeal[] {
  return [...registries, ...(ported ? [ported] : []), ...(changes ? [changes] : [])]
}

// When the current version was published, in milliseconds since 1970; undefined if nothing was imported.
export async function importedAtMs(dir: string): Promise<number | undefined> {
  try {
    return (await stat(join(dir, currentName))).mtimeMs
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

// Names the data by its content: the same files give the same version on every machine.
export function versionOf(pointer: Pointer): string {
  const seals = filesOf(pointer).map(({ sha256 }) => sha256)
  return seals.length === 0 ? '' : createHash('sha256').update(seals.toSorted().join()).digest('hex').slice(0, 12)
}

// Publishes the next version, unless another import has published one meanwhile. Files that neither this version nor the
// previous one names are removed.
export async function publish(dir: string, before: Pointer, next: Pointer): Promise<void> {
  const current = await readCurrent(dir)
  if (versionOf(current) !== versionOf(before)) {
    throw new UsageError('Another import has finished meanwhile; nothing was changed. Run this one again.')
  }
  await writeWhole(dir, previousName, JSON.stringify(before))
  await writeWhole(dir, currentName, JSON.stringify(next))
  await removeUnnamed(dir, [before, next])
}

// Writes a file completely or not at all, even across a crash.
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

// A rename is durable only after the directory is synced.
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
