// Debian's Chromium without a window, which opens no hidden pages beside those of a test. Every page notes what a reader would not
// see: console errors and requests to other hosts.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { atEnd } from '../at-end.ts'

export type Watched = {
  readonly page: Page
  // Errors of scripts and of the content security policy, and URLs of other hosts.
  readonly faults: readonly string[]
  readonly close: () => Promise<void>
}

export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    // As root Chromium does not start with its sandbox; it opens pages of this machine only.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  atEnd(() => browser.close())
  return browser
}

export async function openPage(browser: Browser, base: string, options: BrowserContextOptions): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: base, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`)) faults.push(`other host: ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    // Leaving a page aborts what it still loads.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`)
  })
  return { page, faults, close: () => context.close() }
}
