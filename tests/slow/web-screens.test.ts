// Every screen of the dashboard and the console in both languages, both themes and both widths. Pictures go to .cache/web-pages/.

import { after } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { allLooks } from '../support/browser/docs-screens.ts'
import { serveBuiltPages, testScreens } from '../support/web/screens.ts'

const server = await serveBuiltPages()
after(() => server.close())
testScreens(allLooks, await startChromium(), server)
