// The Markdown pages of the repository that are rendered, and where a link between them leads.

import { posix } from 'node:path'
import type { Language } from '@ringproof/contract/errors.ts'

export type Guide = {
  // Below /docs/<language>.
  readonly path: string
  readonly group: 'guides' | 'operators'
  // From the root of the repository. Pages for operators are in English only.
  readonly files: { readonly en: string; readonly ru?: string }
}

export const guides: readonly Guide[] = [
  translated('quickstart'),
  translated('webhooks'),
  translated('migrate'),
  { path: '/guides/node', group: 'guides', files: { en: 'sdk/README.md' } },
  { path: '/guides/php', group: 'guides', files: { en: 'sdk-php/README.md' } },
  { path: '/guides/collections', group: 'guides', files: { en: 'examples/README.md' } },
  { path: '/guides/deployment', group: 'operators', files: { en: 'deploy/README.md' } },
  { path: '/reference/calls', group: 'operators', files: { en: 'docs/reference/calls.md' } },
  { path: '/reference/numbering', group: 'operators', files: { en: 'docs/reference/numbering.md' } },
  { path: '/reference/log-events', group: 'operators', files: { en: 'docs/reference/log-events.md' } },
  { path: '/reference/glossary', group: 'operators', files: { en: 'docs/reference/glossary.md' } },
]

function translated(name: string): Guide {
  return {
    path: `/guides/${name}`,
    group: 'guides',
    files: { en: `docs/guides/${name}.md` },
  }
}

// The page of a guide in this language, or else in English.
export function guideUrl({ path, files }: Guide, language: Language): string {
  return `/docs/${language === 'ru' && files.ru !== undefined ? 'ru' : 'en'}${path}`
}

export function urlOfGuide(path: string, language: Language): string {
  const guide = guides.find((one) => one.path === path)
  if (!guide) throw new Error(`there is no guide ${path}`)
  return guideUrl(guide, language)
}

// Undefined: the link leads to a file of the repository that is not served.
export function resolveLink(
  href: string,
  from: string,
  language: Language,
  isServed: (path: string) => boolean,
): string | undefined {
  if (/^https?:/.test(href) || href.startsWith('#')) return href
  const [target = '', anchor] = href.split('#')
  const path = posix.join(posix.dirname(from), target)
  if (/^docs\/reference\/(ru\/)?errors\.md$/.test(path)) return `/docs/${language}/errors${errorPath(anchor)}`
  const guide = guides.find(({ files }) => files.en === path || files.ru === path)
  if (guide) return `${guideUrl(guide, language)}${anchor === undefined ? '' : `#${anchor}`}`
  return isServed(path) ? `/${path}` : undefined
}

// An anchor of the list of errors starts with the code.
function errorPath(anchor: string | undefined): string {
  const [, code] = /^(\d+)/.exec(anchor ?? '') ?? []
  return code === undefined ? '' : `/${code}`
}
