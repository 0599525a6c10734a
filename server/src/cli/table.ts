// A text table: columns as wide as their widest cell, figures aligned right.
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, column) => (isFigure(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function isFigure(cell: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(cell)
}
