// What user journeys begin with: how the page is looked at, and who signs in.

import { type AccountId, slotOfAccount } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { credit } from '../database/credit.ts'
import type { Installation } from '../process/server.ts'
import type { OperatorPerson } from './operator.ts'
import { password, type Site, signUp } from './people.ts'
import type { Look, Person } from './person.ts'
import type { BrowserVisitor } from './visitor.ts'

// With the mouse, and with the keyboard alone.
export const wide: Look = { language: 'en', theme: 'light', width: 1280, hasMouse: true }
export const narrow: Look = { language: 'ru', theme: 'dark', width: 390, hasMouse: false }
export const looks = [wide, narrow]

export async function signInAt(person: Person, path: string, email: string): Promise<void> {
  await person.page.goto(`/dashboard/sign-in?next=${encodeURIComponent(path)}`)
  await typePassword(person, email)
}

export async function typePassword({ page, words, fill, press, button }: Person, email: string): Promise<void> {
  await fill(page.getByLabel(words.sign.email, { exact: true }), email)
  await fill(page.getByLabel(words.sign.password, { exact: true }), password)
  await press(button(words.sign.next))
}

export async function signInOperator(person: Person, path: string, { email, totp }: OperatorPerson): Promise<void> {
  await signInAt(person, path, email)
  const { page, words, fill, press, button } = person
  await page.getByText(words.sign.second.title).waitFor()
  for (const [n, digit] of [...totp(0)].entries()) {
    await fill(page.getByLabel(words.shell.digit(n + 1, 6), { exact: true }), digit)
  }
  await press(button(words.sign.second.confirm))
}

// Without the sign-in, which other journeys test.
export async function takeSession({ page }: Person, { cookie }: BrowserVisitor): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await page
    .context()
    .addCookies([{ name, value, url: 'https://localhost', secure: true, httpOnly: true, sameSite: 'Lax' }])
}

// An owner with money, and a service that may call everybody.
export async function createCustomer(
  { slots }: Installation,
  site: Site,
  { language, balance = 100, name = 'Shop' }: Pick<Look, 'language'> & { balance?: number; name?: string },
) {
  const { visitor, email } = await signUp(site, language)
  const accountId = (await visitor.call('me')).account?.id as AccountId
  const database = slots.databaseOf(slotOfAccount(accountId))
  await credit(database, accountId, (balance * 1_000_000) as MicroAmount)
  await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
  const service = { name, isTest: false, isMovingFromUcaller: false }
  const { serviceId, key } = await visitor.call('create-service', service)
  return { visitor, email, accountId, serviceId, key, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}
