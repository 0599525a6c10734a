import { qrMatrix } from './qr-matrix.ts'

const quiet = 4

// Black on white in either theme: some readers do not take the inverse.
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = qrMatrix(text)
  const size = rows.length + 2 * quiet
  const cells = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])),
  )
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={cells.join('')} fill="#000" />
    </svg>
  )
}
