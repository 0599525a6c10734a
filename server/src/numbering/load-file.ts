// Loads a numbering data file into one buffer that threads can share. It is read and hashed in pieces, so that a serving
// process is blocked for a few milliseconds at most.

import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'

// Names a file by its content.
export type FileSeal = { readonly file: string; readonly bytes: number; readonly sha256: string }

export function sealOf(kind: string, ending: 'bin' | 'json', content: Uint8Array): FileSeal {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { file: `${kind}-${sha256.slice(0, 8)}.${ending}`, bytes: content.length, sha256 }
}

const pieceBytes = 1 << 18

export async function loadFile(path: string, seal: FileSeal): Promise<SharedArrayBuffer> {
  const buffer = new SharedArrayBuffer(seal.bytes)
  await loadInto(buffer, path, seal)
  return buffer
}

// The buffer may be larger than the file.
export async function loadInto(buffer: SharedArrayBuffer, path: string, { bytes, sha256 }: FileSeal): Promise<void> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size !== bytes) throw new Error(`${basename(path)} has ${size} bytes instead of ${bytes}`)
    const hash = createHash('sha256')
    for (let at = 0; at < bytes; ) {
      const piece = new Uint8Array(buffer, at, Math.min(pieceBytes, bytes - at))
      const { bytesRead } = await handle.read(piece, 0, piece.length, at)
      if (bytesRead === 0) throw new Error(`${basename(path)} was truncated while it was read`)
      hash.update(piece.subarray(0, bytesRead))
      at += bytesRead
    }
    if (hash.digest('hex') !== sha256) throw new Error(`${basename(path)} is damaged: its SHA-256 does not match`)
  } finally {
    await handle.close()
  }
}
