import { randomBytes } from 'node:crypto'

// Enough for a few hundred nonces.
const blockBytes = 4_096

// Random bytes, drawn from the system in blocks: a system call per nonce would cost more than using the nonce. A block is
// handed out piece by piece and never refilled, so that no byte is used twice.
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
