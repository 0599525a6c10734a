// A person at a browser. Everything is found by what it says, in the language of the page; with the keyboard alone, nothing is
// clicked: Tab goes to a control, Enter and Space use it.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { words as enAnnouncements } from '../../../web/src/console/announcements/words.en.ts'
import { words as ruAnnouncements } from '../../../web/src/console/announcements/words.ru.ts'
import { words as enAudit } from '../../../web/src/console/audit/words.en.ts'
import { words as ruAudit } from '../../../web/src/console/audit/words.ru.ts'
import { words as enCalls } from '../../../web/src/console/calls/words.en.ts'
import { words as ruCalls } from '../../../web/src/console/calls/words.ru.ts'
import { words as enCallerNumbers } from '../../../web/src/console/codes/words.en.ts'
import { words as ruCallerNumbers } from '../../../web/src/console/codes/words.ru.ts'
import { words as enCustomers } from '../../../web/src/console/customers/words.en.ts'
import { words as ruCustomers } from '../../../web/src/console/customers/words.ru.ts'
import { words as enProtection } from '../../../web/src/console/protection/words.en.ts'
import { words as ruProtection } from '../../../web/src/console/protection/words.ru.ts'
import { words as enRegistries } from '../../../web/src/console/registries/words.en.ts'
import { words as ruRegistries } from '../../../web/src/console/registries/words.ru.ts'
import { words as enSystem } from '../../../web/src/console/system/words.en.ts'
import { words as ruSystem } from '../../../web/src/console/system/words.ru.ts'
import { words as enTariffs } from '../../../web/src/console/tariffs/words.en.ts'
import { words as ruTariffs } from '../../../web/src/console/tariffs/words.ru.ts'
import { words as enTrunks } from '../../../web/src/console/trunks/words.en.ts'
import { words as ruTrunks } from '../../../web/src/console/trunks/words.ru.ts'
import { words as enWallboard } from '../../../web/src/console/wallboard/words.en.ts'
import { words as ruWallboard } from '../../../web/src/console/wallboard/words.ru.ts'
import { words as enAccount } from '../../../web/src/dashboard/account/words.en.ts'
import { words as ruAccount } from '../../../web/src/dashboard/account/words.ru.ts'
import { words as enBalance } from '../../../web/src/dashboard/balance/words.en.ts'
import { words as ruBalance } from '../../../web/src/dashboard/balance/words.ru.ts'
import { words as enLog } from '../../../web/src/dashboard/log/words.en.ts'
import { words as ruLog } from '../../../web/src/dashboard/log/words.ru.ts'
import { words as enNumbers } from '../../../web/src/dashboard/numbers/words.en.ts'
import { words as ruNumbers } from '../../../web/src/dashboard/numbers/words.ru.ts'
import { words as enPhones } from '../../../web/src/dashboard/phones/words.en.ts'
import { words as ruPhones } from '../../../web/src/dashboard/phones/words.ru.ts'
import { words as enSettings } from '../../../web/src/dashboard/settings/words.en.ts'
import { words as ruSettings } from '../../../web/src/dashboard/settings/words.ru.ts'
import { words as enStart } from '../../../web/src/dashboard/start/words.en.ts'
import { words as ruStart } from '../../../web/src/dashboard/start/words.ru.ts'
import { words as enStatistics } from '../../../web/src/dashboard/statistics/words.en.ts'
import { words as ruStatistics } from '../../../web/src/dashboard/statistics/words.ru.ts'
import { words as enVerification } from '../../../web/src/dashboard/verifications/verification-words.en.ts'
import { words as ruVerification } from '../../../web/src/dashboard/verifications/verification-words.ru.ts'
import { words as enVerifications } from '../../../web/src/dashboard/verifications/words.en.ts'
import { words as ruVerifications } from '../../../web/src/dashboard/verifications/words.ru.ts'
import { words as enWebhooks } from '../../../web/src/dashboard/webhooks/words.en.ts'
import { words as ruWebhooks } from '../../../web/src/dashboard/webhooks/words.ru.ts'
import { words as enSwitchOvers } from '../../../web/src/parts/tables/switch-over-words.en.ts'
import { words as ruSwitchOvers } from '../../../web/src/parts/tables/switch-over-words.ru.ts'
import { words as enSign } from '../../../web/src/sign/words.en.ts'
import { words as ruSign } from '../../../web/src/sign/words.ru.ts'
import { words as enShell } from '../../../web/src/words/en.ts'
import { words as ruShell } from '../../../web/src/words/ru.ts'
import { openPage, type Watched } from '../browser/chromium.ts'

export const catalogues = {
  en: {
    shell: enShell,
    sign: enSign,
    start: enStart,
    phones: enPhones,
    log: enLog,
    statistics: enStatistics,
    verifications: enVerifications,
    verification: enVerification,
    webhooks: enWebhooks,
    numbers: enNumbers,
    settings: enSettings,
    balance: enBalance,
    account: enAccount,
    callerNumbers: enCallerNumbers,
    system: enSystem,
    calls: enCalls,
    protection: enProtection,
    trunks: enTrunks,
    customers: enCustomers,
    audit: enAudit,
    switchOvers: enSwitchOvers,
    wallboard: enWallboard,
    tariffs: enTariffs,
    announcements: enAnnouncements,
    registries: enRegistries,
  },
  ru: {
    shell: ruShell,
    sign: ruSign,
    start: ruStart,
    phones: ruPhones,
    log: ruLog,
    statistics: ruStatistics,
    verifications: ruVerifications,
    verification: ruVerification,
    webhooks: ruWebhooks,
    numbers: ruNumbers,
    settings: ruSettings,
    balance: ruBalance,
    account: ruAccount,
    callerNumbers: ruCallerNumbers,
    system: ruSystem,
    calls: ruCalls,
    protection: ruProtection,
    trunks: ruTrunks,
    customers: ruCustomers,
    audit: ruAudit,
    switchOvers: ruSwitchOvers,
    wallboard: ruWallboard,
    tariffs: ruTariffs,
    announcements: ruAnnouncements,
    registries: ruRegistries,
  },
}

export type Look = {
  readonly language: 'en' | 'ru'
  readonly theme: 'light' | 'dark'
  readonly width: 1280 | 390
  readonly hasMouse: boolean
}

export type Person = Watched & {
  readonly look: Look
  readonly words: (typeof catalogues)['en']
  readonly press: (control: Locator) => Promise<void>
  readonly fill: (field: Locator, text: string) => Promise<void>
  readonly button: (name: string) => Locator
}

const tabsMax = 80
// The last screen of a journey that failed is here.
const pictures = join(import.meta.dirname, '../../../.cache/web-journeys')

export async function sitDown(browser: Browser, base: string, look: Look): Promise<Person> {
  const { language, theme, width, hasMouse } = look
  const watched = await openPage(browser, base, {
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
    timezoneId: 'Europe/Moscow',
  })
  const { page } = watched
  const reach = async (control: Locator) => {
    await control.waitFor().catch(async (error: unknown) => {
      await page.screenshot({ path: `${pictures}/failed.png` })
      throw error
    })
    if (hasMouse) return
    await focusByTab(page, control)
  }
  return {
    ...watched,
    look,
    words: catalogues[language],
    press: async (control) => {
      await reach(control)
      if (hasMouse) await control.click()
      else await page.keyboard.press('Enter')
    },
    fill: async (field, text) => {
      await reach(field)
      if (hasMouse) await field.fill(text)
      else await page.keyboard.type(text)
    },
    button: (name) => page.getByRole('button', { name, exact: true }).filter({ visible: true }),
  }
}

async function focusByTab(page: Page, control: Locator): Promise<void> {
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${String(control)}`)
}
