// Code samples: coloured on the server, with tabs for languages that work without a script.

import { escapeHtml } from './html.ts'

export type Sample = { readonly name: string; readonly text: string }

export type CodeContext = { readonly publicUrl: string }

// Names before a colon, strings, comments, keywords, options and variables.
const piece =
  /(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?<note>(?<=^|\s)(?:#(?!\{)|\/\/)[^\n]*)|\b(?<word>curl|const|await|async|echo|import|from|print|func|package|return|new|if|else|while|for|def|try|catch|except|with|as|raise|throw|function|class|true|false|null|True|False|GET|POST)\b|(?<name>(?<=\s)--?[a-zA-Z][\w-]*|\$[a-zA-Z]\w*)/gm

export function codeBlock(title: string, { text }: Sample, context: CodeContext): string {
  return `<figure class="block"><figcaption class="bar"><span>${title}</span></figcaption>${pre(text, context)}</figure>`
}

// One block with a tab for each sample. `id` is unique on its page.
export function tabbedBlock(id: string, title: string, samples: readonly Sample[], context: CodeContext): string {
  const tabs = samples.map(
    ({ name }, at) =>
      `<input type="radio" name="${id}" id="${id}-${at}" value="${escapeHtml(name)}"${at === 0 ? ' checked' : ''}><label for="${id}-${at}">${escapeHtml(name)}</label>`,
  )
  const panels = samples.map(
    ({ name, text }) => `<div class="panel" data-sample="${escapeHtml(name)}">${pre(text, context)}</div>`,
  )
  return `<div class="block tabbed"><fieldset class="bar tabs"><legend class="unseen">${title}</legend>${tabs.join('')}</fieldset>
${panels.join('\n')}</div>`
}

// Long lines wrap, so nothing is cut off and nothing scrolls.
function pre(text: string, context: CodeContext): string {
  return `<pre><code>${paint(text.trimEnd(), context)}</code></pre>`
}

function paint(text: string, { publicUrl }: CodeContext): string {
  let out = ''
  let last = 0
  for (const match of text.matchAll(piece)) {
    const [all] = match
    const { key, string, note, word } = match.groups ?? {}
    const kind = key ? 'name' : string ? 'string' : note ? 'note' : word ? 'word' : 'name'
    const shown = isCode(text, match.index, all) ? markDigits(all) : finish(all, publicUrl)
    out += `${finish(text.slice(last, match.index), publicUrl)}<span class="${kind}">${shown}</span>`
    last = match.index + all.length
  }
  return out + finish(text.slice(last), publicUrl)
}

// The address of this installation was filled in for the reader; the code of a verification is always under the marker.
function finish(part: string, publicUrl: string): string {
  return escapeHtml(part)
    .replaceAll(escapeHtml(publicUrl), (base) => `<span class="filled">${base}</span>`)
    .replaceAll(/(?<=&quot;code&quot;: &quot;)\d{4}/g, '<mark>$&</mark>')
}

// Four digits that are the value of `code`.
function isCode(text: string, at: number, all: string): boolean {
  return /^["']\d{4}["']$/.test(all) && /code["']?\s*(?::|=>)\s*$/.test(text.slice(Math.max(0, at - 16), at))
}

function markDigits(quoted: string): string {
  const [quote = ''] = escapeHtml(quoted).split(/\d/)
  return `${quote}<mark>${quoted.slice(1, -1)}</mark>${quote}`
}
