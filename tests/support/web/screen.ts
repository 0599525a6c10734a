import type { Page } from 'playwright-core'
import type { Answers } from './fixtures.ts'

export type Screen = {
  readonly name: string
  readonly path: string
  readonly answers: (nowMs: number) => Answers
  // Opens a dialog or fills a form, before the page is examined.
  readonly act?: (page: Page) => Promise<void>
}

export async function press(page: Page, name: RegExp, nth = 0): Promise<void> {
  await page.getByRole('button', { name }).nth(nth).click()
}
