// The frame of every page: wall with navigation, search, language and theme. Without a script everything works but search.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { themes } from '@ringproof/contract/lists/people.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { escapeHtml } from './html.ts'
import { words } from './words.ts'

export type NavLink = { readonly url: string; readonly title: string; readonly isOnlyEnglish?: boolean }

export type Frame = {
  readonly version: string
  // URLs of the assets, with the digest of their content.
  readonly style: string
  readonly script: string
  readonly icon: string
  readonly fonts: Readonly<Record<Language, readonly string[]>>
  readonly guides: Readonly<
    Record<Language, { readonly guides: readonly NavLink[]; readonly operators: readonly NavLink[] }>
  >
}

type PageOf = {
  readonly language: Language
  // Below /docs/<language>; empty for the reference.
  readonly path: string
  readonly title: string
  readonly content: string
  // Languages that have this page.
  readonly languages: readonly Language[]
}

export function layout(frame: Frame, page: PageOf): string {
  const { language, path, title, content, languages } = page
  const text = words[language]
  const alternates = languages.map((other) => `<link rel="alternate" hreflang="${other}" href="/docs/${other}${path}">`)
  const preloads = frame.fonts[language].map(
    (font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title === '' ? text.title : `${title} · Ringproof`)}</title>
<link rel="canonical" href="/docs/${language}${path}">
${alternates.join('\n')}
<link rel="icon" href="${frame.icon}" type="image/svg+xml">
${preloads.join('\n')}
<link rel="stylesheet" href="${frame.style}">
<script src="${frame.script}"></script>
</head>
<body>
<a class="skip" href="#content">${text.skip}</a>
<div class="side">
<header class="top">
<a class="brand" href="/docs/${language}">ring<mark>proof</mark></a>
<span class="quiet">${text.docs}</span>
<button type="button" class="find" aria-label="${text.find}" hidden>${findIcon}<span>${text.find}</span><kbd>/</kbd></button>
<input type="checkbox" id="menu" aria-label="${text.menu}"><label for="menu">${menuIcon}</label>
</header>
<div class="wall">
<nav aria-label="${text.contents}">
${navigation(frame, page)}
</nav>
<footer class="foot">
${languageSwitch(page)}
${themeSwitch(language)}
<p class="quiet">${text.edition} ${escapeHtml(frame.version)}</p>
</footer>
</div>
</div>
<main id="content">
${content}
</main>
${searchDialog(language)}
</body>
</html>
`
}

function navigation(frame: Frame, { language, path }: PageOf): string {
  const text = words[language]
  const reference = `/docs/${language}`
  const here = `${reference}${path}`
  const anchor = (id: string, title: string): NavLink => ({ url: `${reference}#${id}`, title })
  const { guides, operators } = frame.guides[language]
  const groups: readonly (readonly [title: string, links: readonly NavLink[]])[] = [
    [
      text.groups.start,
      [
        anchor('start', text.start),
        anchor('authentication', text.authentication),
        anchor('test-numbers', text.testNumbers),
        anchor('first-call', text.firstCall),
      ],
    ],
    [text.groups.methods, methods.map((method) => anchor(method, method))],
    [
      text.groups.more,
      [
        anchor('webhook', text.webhooks),
        { url: `${reference}/errors`, title: text.errors },
        { url: `${reference}/problems`, title: text.problems },
        anchor('health', text.health),
        anchor('versions', text.versions),
        { url: '/openapi.json', title: 'OpenAPI' },
        { url: '/openapi-v2.json', title: 'OpenAPI, Verify API' },
        { url: '/docs.md', title: text.plain },
      ],
    ],
    [text.groups.guides, guides],
    [text.groups.operators, operators],
  ]
  return groups
    .map(([title, links]) => `<p>${title}</p><ul>${links.map((link) => navItem(link, here, language)).join('')}</ul>`)
    .join('\n')
}

function navItem({ url, title, isOnlyEnglish }: NavLink, here: string, language: Language): string {
  const isCurrent = url === here || (url.endsWith('/errors') && here.startsWith(`${url}/`))
  const current = isCurrent ? ' aria-current="page"' : ''
  const foreign = isOnlyEnglish && language !== 'en' ? ` hreflang="en" title="${words[language].onlyEnglish}"` : ''
  const tag = foreign === '' ? '' : ' <span class="quiet">en</span>'
  return `<li><a href="${url}"${current}${foreign}>${escapeHtml(title)}${tag}</a></li>`
}

function languageSwitch({ language, path, languages }: PageOf): string {
  const names = { en: 'English', ru: 'Русский' } as const
  const link = (other: Language) => {
    const url = languages.includes(other) ? `/docs/${other}${path}` : `/docs/${other}`
    const current = other === language ? ' aria-current="true"' : ''
    return `<a href="${url}" lang="${other}" hreflang="${other}"${current}>${names[other]}</a>`
  }
  return `<div class="segments" role="group" aria-label="${words[language].language}">${link('en')}${link('ru')}</div>`
}

// CSS follows the chosen radio; the script remembers it.
function themeSwitch(language: Language): string {
  const { theme, themes: names } = words[language]
  const options = themes.map(
    (name) =>
      `<input type="radio" name="theme" id="theme-${name}" value="${name}"${name === 'system' ? ' checked' : ''}><label for="theme-${name}">${names[name]}</label>`,
  )
  return `<fieldset class="segments"><legend class="unseen">${theme}</legend>${options.join('')}</fieldset>`
}

function searchDialog(language: Language): string {
  const { find, findHint, nothingFound, close, copy, copied } = words[language]
  return `<dialog id="search" aria-label="${find}" data-nothing="${nothingFound}" data-copy="${copy}" data-copied="${copied}">
<form method="dialog"><input type="text" enterkeyhint="search" aria-label="${find}" placeholder="${findHint}" autocomplete="off" spellcheck="false"><button aria-label="${close}">Esc</button></form>
<ul class="found"></ul>
</dialog>`
}

const findIcon =
  '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg>'
const menuIcon =
  '<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><path d="M3 6h14M3 10h14M3 14h14"/></svg>'
