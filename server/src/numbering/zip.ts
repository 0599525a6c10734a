// Reads the files in a ZIP archive one after another, streaming. An archive of a full portability database exceeds the 4 GB of
// classic ZIP, so ZIP64 is supported. Node provides the decompression.

import type { FileHandle } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { UsageError } from '../process/errors.ts'

type ZipEntry = {
  readonly name: string
  readonly bytes: number
  readonly chunks: () => AsyncIterable<Uint8Array>
}

// `readPart` reads a byte range of the archive, inclusive.
export async function readZip(
  archive: string,
  handle: FileHandle,
  readPart: (start: number, end: number) => Readable,
): Promise<readonly ZipEntry[]> {
  const { size } = await handle.stat()
  const { count, at, bytes } = await findDirectory(archive, handle, size)
  const directory = await readAt(handle, at, bytes)
  const entries: ZipEntry[] = []
  for (let index = 0, start = 0; index < count; index++) {
    const { next, ...record } = readRecord(archive, directory, start)
    start = next
    if (record.name.endsWith('/')) continue
    entries.push({
      name: record.name,
      bytes: record.bytes,
      chunks: () => unpack(archive, handle, record, readPart),
    })
  }
  return entries
}

type DirectoryRecord = {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  readonly headerAt: number
}

const endBytes = 22
const commentBytesMax = 65_535
const signatures = { end: 0x06054b50, locator64: 0x07064b50, end64: 0x06064b50, record: 0x02014b50, local: 0x04034b50 }
// Marks a 32-bit field whose value is in the ZIP64 extra field.
const inExtraField = 0xffffffff

// The directory is at the end of the archive, before a comment of unknown length.
async function findDirectory(archive: string, handle: FileHandle, size: number) {
  const tail = await readAt(handle, Math.max(0, size - endBytes - commentBytesMax), Math.min(size, 65_557))
  let at = tail.length - endBytes
  while (at >= 0 && tail.readUInt32LE(at) !== signatures.end) at--
  if (at < 0) throw damaged(archive, 'its end is missing')
  const old = { count: tail.readUInt16LE(at + 10), bytes: tail.readUInt32LE(at + 12), at: tail.readUInt32LE(at + 16) }
  const locatorAt = at - 20
  if (locatorAt < 0 || tail.readUInt32LE(locatorAt) !== signatures.locator64) return old
  const end64 = await readAt(handle, Number(tail.readBigUInt64LE(locatorAt + 8)), 56)
  if (end64.readUInt32LE(0) !== signatures.end64) throw damaged(archive, 'its directory is missing')
  return {
    count: Number(end64.readBigUInt64LE(32)),
    bytes: Number(end64.readBigUInt64LE(40)),
    at: Number(end64.readBigUInt64LE(48)),
  }
}

function readRecord(archive: string, directory: Buffer, at: number): DirectoryRecord & { next: number } {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== signatures.record) {
    throw damaged(archive, 'its directory is broken')
  }
  const nameBytes = directory.readUInt16LE(at + 28)
  const extraBytes = directory.readUInt16LE(at + 30)
  const nameEnd = at + 46 + nameBytes
  const [bytes = 0, packedBytes = 0, headerAt = 0] = wideFields(directory.subarray(nameEnd, nameEnd + extraBytes), [
    directory.readUInt32LE(at + 24),
    directory.readUInt32LE(at + 20),
    directory.readUInt32LE(at + 42),
  ])
  if ((directory.readUInt16LE(at + 8) & 1) === 1) throw new UsageError(`${archive} is encrypted with a password.`)
  return {
    name: directory.toString('utf8', at + 46, nameEnd),
    method: directory.readUInt16LE(at + 10),
    crc: directory.readUInt32LE(at + 16),
    packedBytes,
    bytes,
    headerAt,
    next: nameEnd + extraBytes + directory.readUInt16LE(at + 32),
  }
}

// Values that did not fit are in extra field 1, in the same order.
function wideFields(extra: Buffer, fields: readonly number[]): readonly number[] {
  let wide: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) wide = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  }
  let at = 0
  return fields.map((field) => {
    if (field !== inExtraField || at + 8 > wide.length) return field
    at += 8
    return Number(wide.readBigUInt64LE(at - 8))
  })
}

async function* unpack(
  archive: string,
  handle: FileHandle,
  { name, method, crc, packedBytes, bytes, headerAt }: DirectoryRecord,
  readPart: (start: number, end: number) => Readable,
): AsyncGenerator<Uint8Array> {
  const local = await readAt(handle, headerAt, 30)
  if (local.readUInt32LE(0) !== signatures.local) throw damaged(archive, `${name} is not where it should be`)
  if (method !== 0 && method !== 8) throw new UsageError(`${archive}: ${name} uses an unsupported compression method.`)
  const start = headerAt + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  let sum = 0
  let seen = 0
  if (packedBytes > 0) {
    const unpacked = method === 8 ? createInflateRaw({ chunkSize: 1 << 18 }) : new Transform({ transform: passThrough })
    const flow = pipeline(readPart(start, start + packedBytes - 1), unpacked)
    // The loop below sees the failure too; this only prevents an unhandled rejection.
    flow.catch(() => undefined)
    try {
      for await (const chunk of unpacked as AsyncIterable<Buffer>) {
        sum = crc32(chunk, sum)
        seen += chunk.length
        yield chunk
      }
      await flow
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
        throw damaged(archive, `${name} cannot be unpacked`)
      }
      throw error
    }
  }
  if (sum !== crc || seen !== bytes) throw damaged(archive, `${name} is not what was packed`)
}

function passThrough(chunk: Buffer, _: unknown, done: (error: null, chunk: Buffer) => void): void {
  done(null, chunk)
}

async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at)
  return buffer.subarray(0, bytesRead)
}

function damaged(archive: string, why: string): UsageError {
  return new UsageError(`${archive} is damaged: ${why}.`)
}
