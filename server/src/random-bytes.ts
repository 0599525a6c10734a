import { randomBytes } from 'node:crypto'

// Enough for a few hundred nonces.
const blockBytes = 4_096

// Random bytes, drawn from the system a block at a time: to ask it costs more than what is then done with a nonce. A block
// is given away piece by piece and never filled again, so that no byte is given twice.
export function createRandomBytes(): (bytes: number) => Uint8Array {
  let block = randomBytes(blockBytes)
  return (bytes) => {
    if (bytes > blockBytes) return randomBytes(bytes)
    if (bytes > block.length) block = randomBytes(blockBytes)
    const piece = block.subarray(0, bytes)
    block = block.subarray(bytes)
    return piece
  }
}
