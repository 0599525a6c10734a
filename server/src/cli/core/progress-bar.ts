// A progress bar for a terminal. It writes nothing to a file or a pipe.

import type { ReportProgress } from '../../domain/numbers/numbering-report.ts'

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
    // Clears the line each time, and once more at the end, so that the next output starts on an empty line.
    terminal.write(share < 1 ? `\r\u001b[K${bar}` : '\r\u001b[K')
  }
}
