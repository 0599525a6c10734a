import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { qrMatrix } from '../../web/src/parts/text/qr-matrix.ts'

test('a short text is version 1 with its three finders', () => {
  const rows = qrMatrix('HELLO')
  assert.equal(rows.length, 21)
  const corner = (x: number, y: number) =>
    [0, 1, 2, 3, 4, 5, 6].map((at) => (rows[y]?.[x + at] === true ? '#' : '.')).join('')
  for (const [x, y] of [
    [0, 0],
    [14, 0],
    [0, 14],
  ] as const) {
    assert.equal(corner(x, y), '#######')
    assert.equal(corner(x, y + 1), '#.....#')
    assert.equal(corner(x, y + 3), '#.###.#')
  }
})

// The digests are of pictures that jsQR 1.4.0 has read.
test('the pictures are those that a reader has read', () => {
  const address = 'otpauth://totp/Ringproof:you@example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Ringproof'
  assert.deepEqual(
    [digest('HELLO'), digest(address), digest('q'.repeat(280))],
    ['b664c5ebcc2451fb', 'f8967037ee589310', '4fe370e2b3840391'],
  )
})

test('a text that does not fit is refused', () => {
  assert.throws(() => qrMatrix('x'.repeat(400)), /too long/)
})

function digest(text: string): string {
  const bits = qrMatrix(text).map((row) => row.map(Number).join(''))
  return createHash('sha256').update(bits.join('\n')).digest('hex').slice(0, 16)
}
