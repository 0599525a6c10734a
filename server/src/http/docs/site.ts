// Every page and asset of /docs, by URL. A page exists as /docs/<language>/<path>; without the language, the browser's preference
// decides. Pages are rendered when they are first read.

import { errorPages } from '@ringproof/contract/error-pages.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { languages } from '@ringproof/contract/lists/people.ts'
import { type Asset, assetsOf } from './assets.ts'
import type { CodeContext, Sample } from './code-block.ts'
import { errorListPage, errorPage } from './error-pages.ts'
import { type Guide, guides, guideUrl, resolveLink } from './guides.ts'
import { type Frame, layout, type NavLink } from './layout.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { problemPage } from './problem-page.ts'
import { allCodes, type ProgramSamples, referencePage } from './reference-page.ts'
import { guideEntries, referenceEntries } from './search-index.ts'
import { words } from './words.ts'

export type About = { readonly publicUrl: string; readonly version: string }

// Files of server/assets/docs by name, and pages and samples of the repository by path.
export type DocsFiles = {
  readonly assets: ReadonlyMap<string, Buffer>
  readonly texts: ReadonlyMap<string, string>
}

export type DocsSite = {
  // By path below /docs/<language>; empty for the reference.
  readonly pages: ReadonlyMap<string, Partial<Readonly<Record<Language, () => string>>>>
  // By URL; they never change, because the URL contains the digest.
  readonly assets: ReadonlyMap<string, Asset>
  // What the search finds, as JSON.
  readonly searchIndex: Readonly<Record<Language, () => string>>
}

type Draft = { readonly title: string; readonly content: string }
type Pages = Map<string, Partial<Record<Language, () => Draft>>>

export function docsSite(about: About, files: DocsFiles): DocsSite {
  const context: CodeContext = { publicUrl: about.publicUrl }
  const rendered = renderGuides(files, context)
  const { byUrl, urls } = assetsOf(files.assets)
  const frame: Frame = { ...urls, version: about.version, guides: navigationOf(files) }
  const pages = new Map(
    [...drafts(files, context, rendered)].map(([path, drafted]) => {
      const available = languages.filter((language) => drafted[language] !== undefined)
      const byLanguage = available.map((language) => {
        const page = once(() => {
          const { title, content } = drafted[language]?.() ?? { title: '', content: '' }
          return layout(frame, { language, path, title, content, languages: available })
        })
        return [language, page] as const
      })
      return [path, Object.fromEntries(byLanguage)] as const
    }),
  )
  const index = (language: Language) => once(() => JSON.stringify(searchEntries(language, files.texts, rendered)))
  return { pages, assets: byUrl, searchIndex: { en: index('en'), ru: index('ru') } }
}

function drafts(files: DocsFiles, context: CodeContext, rendered: RenderedGuides): Pages {
  const pages: Pages = new Map()
  const inBoth = (path: string, draft: (language: Language) => Draft) =>
    pages.set(path, { en: () => draft('en'), ru: () => draft('ru') })
  const samples = programSamples(files.texts)
  inBoth('', (language) => ({ title: '', content: referencePage(language, samples, context) }))
  inBoth('/errors', (language) => ({ title: words[language].errors, content: errorListPage(language) }))
  inBoth('/problems', (language) => ({ title: words[language].problems, content: problemPage(language) }))
  for (const code of allCodes) {
    inBoth(`/errors/${code}`, (language) => ({
      title: `${code}. ${errorPages[code].title[language]}`,
      content: errorPage(code, language, context),
    }))
  }
  for (const guide of guides) {
    const entries = languages
      .filter((language) => guide.files[language] !== undefined)
      .map((language) => [
        language,
        () => {
          const { html, headings } = rendered(guide, language)
          return { title: headings[0]?.text ?? '', content: `<article class="text">\n${html}</article>` }
        },
      ])
    pages.set(guide.path, Object.fromEntries(entries))
  }
  return pages
}

type RenderedGuides = (guide: Guide, language: Language) => Rendered

function renderGuides({ texts }: DocsFiles, context: CodeContext): RenderedGuides {
  const cache = new Map<string, Rendered>()
  return (guide, language) => {
    const file = guide.files[language] ?? guide.files.en
    const known = cache.get(file)
    if (known) return known
    const resolve = (href: string) => resolveLink(href, file, language, (path) => texts.has(path))
    const rendered = renderMarkdown(texts.get(file) ?? '', resolve, context)
    cache.set(file, rendered)
    return rendered
  }
}

function navigationOf({ texts }: DocsFiles): Frame['guides'] {
  const linksOf = (language: Language, group: Guide['group']): readonly NavLink[] =>
    guides
      .filter((guide) => guide.group === group)
      .map((guide) => ({
        url: guideUrl(guide, language),
        title: guide.title?.[language] ?? titleOf(texts.get(guide.files[language] ?? guide.files.en) ?? ''),
        isOnlyEnglish: guide.files.ru === undefined,
      }))
  const both = (language: Language) => ({
    guides: linksOf(language, 'guides'),
    operators: linksOf(language, 'operators'),
  })
  return { en: both('en'), ru: both('ru') }
}

export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}

const sampleNames = { curl: 'curl', php: 'PHP', node: 'Node', python: 'Python', go: 'Go' } as const

function programSamples(texts: ReadonlyMap<string, string>): ProgramSamples {
  const named = (stem: string): readonly Sample[] =>
    Object.entries(sampleNames).flatMap(([folder, name]) => {
      const path = [...texts.keys()].find((one) => new RegExp(`^examples/${folder}/${stem}\\.\\w+$`).test(one))
      return path === undefined ? [] : [{ name, text: texts.get(path) ?? '' }]
    })
  return { call: named('call'), webhook: named('webhook') }
}

function searchEntries(language: Language, texts: ReadonlyMap<string, string>, rendered: RenderedGuides) {
  const fromGuides = guides.flatMap((guide) => {
    const text = texts.get(guide.files[language] ?? guide.files.en) ?? ''
    const anchors = rendered(guide, language)
      .headings.filter(({ depth }) => depth === 2 || depth === 3)
      .map(({ id }) => id)
    return guideEntries(guideUrl(guide, language), titleOf(text), text, anchors)
  })
  return [...referenceEntries(language), ...fromGuides]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
