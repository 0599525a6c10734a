// What must hold for every page of /docs, in a language, a theme and a width.

import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { openPage, type Watched } from './chromium.ts'

export type Look = {
  readonly language: 'en' | 'ru'
  readonly theme: 'light' | 'dark'
  readonly width: 390 | 1280
}

const heights = { 390: 844, 1280: 900 } as const

export const allLooks: readonly Look[] = (['en', 'ru'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => ([390, 1280] as const).map((width) => ({ language, theme, width }))),
)

export function openScreen(browser: Browser, base: string, { theme, width }: Look, options = {}): Promise<Watched> {
  return openPage(browser, base, { colorScheme: theme, viewport: { width, height: heights[width] }, ...options })
}

export async function assertReadable(page: Page, where: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  const { sideways, cut, firstScreen } = await page.evaluate(measure)
  assert.equal(sideways, 0, `${where} scrolls sideways by ${sideways} pixels`)
  assert.deepEqual(cut, [], `${where} cuts text off`)
  assert(firstScreen > 0.5, `${where}: the content fills ${firstScreen} of the first screen`)
}

// Runs in the browser. How far the page is wider than the screen, which elements cut their text off, and which part of the
// first screen is not navigation.
function measure(): { sideways: number; cut: string[]; firstScreen: number } {
  type Box = {
    textContent: string | null
    scrollWidth: number
    clientWidth: number
    getBoundingClientRect(): DOMRectLike
  }
  type DOMRectLike = { top: number; left: number }
  const scope = globalThis as unknown as {
    document: {
      documentElement: Box
      querySelectorAll(selector: string): Iterable<Box>
      querySelector(selector: string): Box
    }
    innerWidth: number
    innerHeight: number
  }
  const { document, innerWidth, innerHeight } = scope
  const cut = [...document.querySelectorAll('main pre, main td, main th, main p, main h1, main h2, main h3')]
    .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.textContent?.slice(0, 60) ?? '')
  const { top, left } = document.querySelector('main').getBoundingClientRect()
  return {
    sideways: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    cut,
    firstScreen: ((innerHeight - Math.max(0, top)) / innerHeight) * ((innerWidth - left) / innerWidth),
  }
}

export async function assertAccessible(page: Page, where: string): Promise<void> {
  const violations = await violationsOf(page)
  assert.deepEqual(violations, [], where)
}

export async function violationsOf(page: Page): Promise<string[]> {
  // Through the debugger, so it needs no exception in the policy of the page.
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    type Result = { violations: { id: string; nodes: { html: string }[] }[] }
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<Result> } }
    const { violations } = await checker.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  })
}
