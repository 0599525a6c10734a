// Opens the operator's files: plain, xz-compressed, or one or more in a ZIP archive. The first bytes decide, not the name.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReportProgress } from '../domain/numbers/numbering-report.ts'
import { UsageError } from '../process/errors.ts'
import { readZip } from './zip.ts'

export type Source = { readonly name: string; readonly chunks: () => AsyncIterable<Uint8Array> }

// The sources inside a file; each must be read before the next is requested. Progress is by bytes of the file on disk.
export async function* readSources(path: string, report: ReportProgress): AsyncGenerator<Source> {
  const handle = await openFile(path)
  try {
    const name = basename(path)
    const { size } = await handle.stat()
    let doneBytes = 0
    async function* countedPart(start: number, end: number): AsyncGenerator<Buffer> {
      for await (const piece of createReadStream(path, { start, end, highWaterMark: pieceBytes })) {
        yield piece as Buffer
        doneBytes += (piece as Buffer).length
        report(name, Math.min(1, doneBytes / size))
      }
    }
    const readPart = (start: number, end: number) => Readable.from(countedPart(start, end), { highWaterMark: 2 })
    const kind = await packingOf(handle)
    if (size === 0) throw new UsageError(`${name} is empty.`)
    if (kind === 'none') yield { name, chunks: () => readPart(0, size - 1) }
    else if (kind === 'xz')
      yield { name: name.replace(/\.xz$/i, ''), chunks: () => unpackXz(name, readPart(0, size - 1)) }
    else yield* sourcesInZip(name, handle, readPart)
  } finally {
    await handle.close()
  }
}

const pieceBytes = 1 << 20

async function openFile(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path)
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new UsageError(`${path} is not a file.`)
}

async function packingOf(handle: FileHandle): Promise<'none' | 'xz' | 'zip'> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0)
  const begin = buffer.subarray(0, bytesRead).toString('latin1')
  if (begin === '\u00fd7zXZ\0') return 'xz'
  return begin.startsWith('PK\u0003\u0004') ? 'zip' : 'none'
}

async function* sourcesInZip(
  name: string,
  handle: FileHandle,
  readPart: (start: number, end: number) => Readable,
): AsyncGenerator<Source> {
  const entries = (await readZip(name, handle, readPart)).filter((entry) => /\.csv$/i.test(entry.name))
  if (entries.length === 0) throw new UsageError(`${name} has no .csv file inside.`)
  for (const entry of entries) yield { name: basename(entry.name), chunks: entry.chunks }
}

// Node has no xz support, so the xz program is used.
async function* unpackXz(name: string, packed: Readable): AsyncGenerator<Uint8Array> {
  const child = spawn('xz', ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close') as Promise<[number | null]>
  ended.catch(() => undefined)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  // If xz fails it reports why, and our pipe to it breaks.
  const fed = pipeline(packed, child.stdin).catch(() => undefined)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    await fed
    const [status] = await ended
    if (status !== 0) throw new UsageError(`${name} cannot be unpacked: ${complaint.trim() || 'xz failed'}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UsageError(
        `${name} is compressed with xz, and xz is not installed. Install it, or decompress the file first.`,
      )
    }
    throw error
  } finally {
    child.kill()
  }
}
