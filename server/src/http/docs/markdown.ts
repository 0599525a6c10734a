// Markdown to HTML: headings with anchors, links that lead to pages of this site, coloured code, no raw HTML.

import { Marked, type Tokens } from 'marked'
import { type CodeContext, codeBlock } from './code-block.ts'
import { escapeHtml } from './html.ts'

type Heading = { readonly depth: number; readonly id: string; readonly text: string }

export type Rendered = { readonly html: string; readonly headings: readonly Heading[] }

// Undefined: there is no such page, and only the text of the link is shown.
type ResolveLink = (href: string) => string | undefined

export function renderMarkdown(markdown: string, resolve: ResolveLink, context: CodeContext): Rendered {
  const headings: Heading[] = []
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = plainText(this.parser.parseInline(tokens))
        const id = uniqueId(anchorOf(text), headings)
        headings.push({ depth, id, text })
        const inner = this.parser.parseInline(tokens)
        return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens)
        const url = resolve(href)
        return url === undefined ? text : `<a href="${escapeHtml(url)}">${text}</a>`
      },
      image: () => '',
      html: () => '',
      code({ text, lang = '' }: Tokens.Code): string {
        return `${codeBlock(languageNames[lang] ?? escapeHtml(lang), { name: lang, text }, context)}\n`
      },
      table({ header, rows }: Tokens.Table): string {
        const text = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        const heads = header.map((cell) => `<th scope="col">${text(cell)}</th>`).join('')
        // On a narrow screen rows are stacked, and each cell shows the name of its column.
        const names = header.map((cell) => escapeHtml(plainText(text(cell))))
        const body = rows.map(
          (row) => `<tr>${row.map((cell, at) => `<td data-column="${names[at]}">${text(cell)}</td>`).join('')}</tr>`,
        )
        return `<table><thead><tr>${heads}</tr></thead><tbody>${body.join('\n')}</tbody></table>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, headings }
}

const languageNames: Readonly<Record<string, string>> = {
  go: 'Go',
  js: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  sh: 'Shell',
  sql: 'SQL',
  ts: 'TypeScript',
}

// As GitHub makes them: lower case, letters, digits and hyphens.
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function uniqueId(id: string, headings: readonly Heading[]): string {
  const count = headings.filter((heading) => heading.id === id || heading.id.startsWith(`${id}-`)).length
  return headings.some((heading) => heading.id === id) ? `${id}-${count}` : id
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
