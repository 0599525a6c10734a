// Every screen of the dashboard and the console in both languages, both themes and both widths. Pictures go to
// .cache/web-pages/. The languages run side by side, each with its own server of fixtures.

import { after, describe } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { allLooks } from '../support/browser/docs-screens.ts'
import { serveFixtures } from '../support/web/fixture-server.ts'
import { serveBuiltPages, testScreens } from '../support/web/screens.ts'

const servers = { en: await serveBuiltPages(), ru: await serveFixtures({}) }
const browser = await startChromium()
after(() => Promise.all([servers.en.close(), servers.ru.close()]))

describe('every screen in every look', { concurrency: 2 }, () => {
  for (const language of ['en', 'ru'] as const) {
    // One screen at a time: they share what the server answers.
    describe(language, { concurrency: 1 }, () => {
      const looks = allLooks.filter((look) => look.language === language)
      testScreens(looks, browser, servers[language])
    })
  }
})
