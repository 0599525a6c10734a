// Shows how far a long work has come, to a person who watches; a file or a pipe is told nothing.

import type { ReportProgress } from '../domain/numbers/numbering-report.ts'

const cells = 30

export function createProgressBar(terminal: {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
}): ReportProgress {
  let shown = ''
  return (label, share) => {
    if (!terminal.isTTY) return
    const full = Math.floor(share * cells)
    const bar = `${label} [${'#'.repeat(full)}${'.'.repeat(cells - full)}] ${Math.floor(share * 100)} %`
    if (bar === shown) return
    shown = bar
    // The line is wiped before and, at the end, after: what is said next stands alone.
    terminal.write(share < 1 ? `\r\u001b[K${bar}` : '\r\u001b[K')
  }
}
