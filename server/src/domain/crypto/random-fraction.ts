// A random number in [0, 1) from 48 bits.
export function randomFraction(randomBytes: (bytes: number) => Uint8Array): number {
  return Buffer.from(randomBytes(6)).readUIntBE(0, 6) / 2 ** 48
}
