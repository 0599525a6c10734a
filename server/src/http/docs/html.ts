// Small pieces of HTML. Every text from outside goes through escapeHtml.

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

// A sentence in which names and values are in backticks.
export function inline(sentence: string): string {
  return escapeHtml(sentence).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

type Row = { readonly id?: string; readonly head: string; readonly cell: string }

// A table with a heading cell in each row. Its columns have names for screen readers.
export function rowsTable(columns: readonly [head: string, cell: string], rows: readonly Row[]): string {
  const body = rows.map(
    ({ id, head, cell }) =>
      `<tr${id === undefined ? '' : ` id="${id}"`}><th scope="row">${head}</th><td>${cell}</td></tr>`,
  )
  const [first, second] = columns
  return `<table class="rows"><colgroup><col><col></colgroup><thead class="unseen"><tr><th scope="col">${first}</th><th scope="col">${second}</th></tr></thead>
<tbody>${body.join('\n')}</tbody></table>`
}

export function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
}
