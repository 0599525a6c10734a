// Something in [0, 1) to choose by, of 48 random bits.
export function randomFraction(randomBytes: (bytes: number) => Uint8Array): number {
  return Buffer.from(randomBytes(6)).readUIntBE(0, 6) / 2 ** 48
}
