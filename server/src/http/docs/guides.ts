// The Markdown pages of the repository that are rendered, and where a link between them leads.

import { posix } from 'node:path'
import type { Sentences } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'

export type Guide = {
  // Below /docs/<language>.
  readonly path: string
  readonly group: 'guides' | 'operators'
  // From the root of the repository. Most pages for operators are in English only.
  readonly files: { readonly en: string; readonly ru?: string }
  // In the navigation, where the title of the page is not what a reader looks for or is in English only.
  readonly title?: Sentences
}

export const guides: readonly Guide[] = [
  translated('quickstart'),
  translated('verify'),
  translated('by-hand'),
  translated('webhooks'),
  translated('test-phones'),
  translated('migrate'),
  english('/guides/node', 'guides', 'sdk/README.md', 'Client for Node', 'Клиент для Node'),
  english('/guides/php', 'guides', 'sdk-php/README.md', 'Client for PHP', 'Клиент для PHP'),
  english('/guides/collections', 'guides', 'examples/README.md', 'Postman collection', 'Коллекция Postman'),
  translated('deciding', 'operators'),
  english('/guides/deployment', 'operators', 'deploy/README.md', 'Deployment', 'Развёртывание'),
  english('/guides/metrics', 'operators', 'docs/operations/metrics.md', 'Metrics', 'Метрики'),
  english('/guides/privacy', 'operators', 'docs/operations/privacy.md', 'Personal data', 'Персональные данные'),
  english('/reference/settings', 'operators', 'docs/reference/settings.md', 'Settings', 'Настройки'),
  english(
    '/reference/settings-rare',
    'operators',
    'docs/reference/settings-rare.md',
    'Settings, rarely needed',
    'Настройки, нужные редко',
  ),
  english('/reference/calls', 'operators', 'docs/reference/calls.md', 'Call outcomes', 'Исходы звонков'),
  english('/reference/numbering', 'operators', 'docs/reference/numbering.md', 'Numbering data', 'Данные о номерах'),
  english('/reference/log-events', 'operators', 'docs/reference/log-events.md', 'Log events', 'События журнала'),
  english('/reference/glossary', 'operators', 'docs/reference/glossary.md', 'Glossary', 'Словарь'),
]

function translated(name: string, group: Guide['group'] = 'guides'): Guide {
  return {
    path: `/guides/${name}`,
    group,
    files: { en: `docs/guides/${name}.md`, ru: `docs/guides/ru/${name}.md` },
  }
}

function english(path: string, group: Guide['group'], file: string, en: string, ru: string): Guide {
  return { path, group, files: { en: file }, title: { en, ru } }
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
