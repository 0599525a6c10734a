import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { methods } from '@ringproof/contract/methods.ts'
import { methodParameters } from '@ringproof/contract/parameters.ts'
import { responses } from '@ringproof/contract/responses.ts'
import { operationProblems, problemCode, problemStatus, problemTexts } from '@ringproof/contract/v2/problems.ts'
import { settingNames } from '@ringproof/contract/web/setting-names.ts'
import { InboundCall } from '@ringproof/contract/webhook.ts'
import { fieldsOf } from '../../server/src/http/docs/fields.ts'
import { inline } from '../../server/src/http/docs/html.ts'
import { renderMarkdown } from '../../server/src/http/docs/markdown.ts'
import { plainPages } from '../../server/src/http/docs/plain-pages.ts'
import { docsSite } from '../../server/src/http/docs/site.ts'
import { readDocs, readDocsAssets } from '../../server/src/process/docs-files.ts'

const about = { publicUrl: 'https://ringproof.example', version: '1.2.3' }
const texts = readDocs()
const site = docsSite(about, { assets: readDocsAssets(), texts })
const pages = new Map<string, string>(
  [...site.pages].flatMap(([path, { en, ru }]) => [
    ...(en ? [[`/docs/en${path}`, en()] as const] : []),
    ...(ru ? [[`/docs/ru${path}`, ru()] as const] : []),
  ]),
)
const files = new Set([...site.assets.keys(), ...plainPages(about, texts).keys(), '/openapi.json', '/openapi-v2.json'])

test('every link of every page leads to a page, an anchor or a file that is served', () => {
  assert(pages.size > 60)
  for (const [url, html] of pages) {
    for (const [, href = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) assertResolves(url, href)
  }
  assert.throws(() => assertResolves('/docs/en', '#no-such-anchor'))
  assert.throws(() => assertResolves('/docs/en', '/docs/en/no-such-page'))
})

function assertResolves(from: string, href: string): void {
  if (href.startsWith('https://')) return
  // The dashboard is another program of the browser; what it marks is a setting that it has.
  const [, marked] = /^\/dashboard\/services\/settings\?mark=([\w,-]+)$/.exec(href) ?? []
  if (marked !== undefined) {
    for (const name of marked.split(','))
      assert(
        settingNames.some((one) => one === name),
        `${from} marks ${name}`,
      )
    return
  }
  const [path = '', anchor] = href.split('#')
  const target = path === '' ? from : path
  const html = pages.get(target)
  assert(html !== undefined || files.has(target), `${from} links to ${href}`)
  if (anchor !== undefined) assert(html?.includes(` id="${decodeURIComponent(anchor)}"`), `${from} links to ${href}`)
}

test('every problem of every operation of the Verify API has an anchor, its status and its title', () => {
  for (const language of ['en', 'ru'] as const) {
    const html = pages.get(`/docs/${language}/problems`) ?? ''
    for (const [operation, names] of Object.entries(operationProblems)) {
      for (const name of names) {
        const row = html.split(`<tr id="${problemCode(name)}">`)[1]?.split('</tr>')[0] ?? ''
        assert(row.includes(`HTTP&nbsp;${problemStatus(name)}<`), `${operation} ${name}`)
        assert(row.includes(inline(problemTexts(name, language).title)), `${operation} ${name}`)
      }
    }
    const [codeWrong = ''] = html.split('<tr id="code_wrong">')[1]?.split('</tr>') ?? []
    assert.match(codeWrong, /: <code>POST \/v2\/verifications\/\{id\}\/check<\/code><\/p>/)
  }
})

test('an error that a setting lifts links to the setting, an error without one does not', () => {
  for (const language of ['en', 'ru']) {
    const linked = (code: number) =>
      /href="(\/dashboard[^"]*)"/.exec(pages.get(`/docs/${language}/errors/${code}`) ?? '')?.[1]
    assert.equal(linked(9), '/dashboard/services/settings?mark=geography')
    assert.equal(linked(1003), '/dashboard/services/settings?mark=addresses')
    assert.equal(linked(19), undefined)
  }
})

test('every entry of the search leads to an anchor', () => {
  for (const language of ['en', 'ru'] as const) {
    const entries = JSON.parse(site.searchIndex[language]()) as [string, string, string, string][]
    assert(entries.length > 100)
    for (const [title, , url] of entries) {
      assert.notEqual(title, '')
      assertResolves('', url)
    }
  }
})

test('pages have no inline script or style and load nothing from other hosts', () => {
  for (const [url, html] of pages) {
    assert.doesNotMatch(html, /<style|\sstyle="|\son\w+="|<script>|javascript:/, url)
    for (const [, source = ''] of html.matchAll(/<(?:script|img|link|iframe)[^>]*?(?:src|href)="([^"]*)"/g)) {
      assert.match(source, /^\/docs\//, url)
    }
    assert.doesNotMatch(html, /\{(parameter|expected|limit|country|mode|cap|from|until|scope|base)\}/, url)
  }
})

test('the reference documents every parameter, response field and webhook field', () => {
  for (const language of ['en', 'ru'] as const) {
    const html = pages.get(`/docs/${language}`) ?? ''
    for (const method of methods) {
      const { required, optional } = methodParameters[method]
      for (const name of Object.keys({ ...required, ...optional })) {
        assert(html.includes(` id="${method}-parameter-${name}"`), `${method} ${name}`)
      }
      const fields = fieldsOf(responses[method], language)
      assert(fields.length > 3, method)
      for (const { name } of fields) assert(html.includes(` id="${method}-${name.replaceAll('[]', '')}"`), name)
    }
    for (const { name } of fieldsOf(InboundCall, language)) assert(html.includes(` id="webhook-body-${name}"`), name)
  }
})

test('every page of the Russian site is in Russian', () => {
  for (const [url, html] of pages) {
    const words = html.replaceAll(/<(script|style|pre|code)[^]*?<\/\1>|<[^>]*>/g, ' ')
    const letters = [...words.matchAll(/\p{L}/gu)].length
    const cyrillic = [...words.matchAll(/[а-яё]/giu)].length
    if (url.startsWith('/docs/ru')) assert(cyrillic > letters * 0.6, `${url}: ${cyrillic} of ${letters}`)
    else assert(cyrillic < letters * 0.05, `${url}: ${cyrillic} of ${letters}`)
  }
})

test('Markdown is rendered without raw HTML, and a link to an unserved file is only text', () => {
  const markdown =
    '# Title\n\n<script>alert(1)</script>\n\nA [link](x.md) and [another](y.md), `a<b`.\n\n```sh\necho "<b>"\n```\n'
  const { html, headings } = renderMarkdown(markdown, (href) => (href === 'x.md' ? '/x' : undefined), about)
  assert.doesNotMatch(html, /<script|<b>/)
  assert.match(html, /A <a href="\/x">link<\/a> and another, <code>a&lt;b<\/code>/)
  assert.deepEqual(headings, [{ depth: 1, id: 'title', text: 'Title' }])
})

test('every committed picture is at most 200 kB', () => {
  const pictures = globSync(join(import.meta.dirname, '../../docs/screenshots/*.png'))
  assert(pictures.length > 0)
  for (const picture of pictures) assert(statSync(picture).size <= 200_000, picture)
})
