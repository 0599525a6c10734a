// The screens of the console, with fixtures.

import type { Page } from 'playwright-core'
import { announcedOutage } from './announcement-fixtures.ts'
import { callerNumbers, callerNumbersWithHoles, noCallerNumbers } from './caller-number-fixtures.ts'
import { deliverability } from './console-fixtures.ts'
import { blockedCustomer, oddCustomer } from './customer-fixtures.ts'
import { type Answers, startedAccount, viewerOf } from './fixtures.ts'
import { inboundAnswers, noInbound } from './inbound-fixtures.ts'
import { quietProtection, replayedLevel } from './protection-fixtures.ts'
import { failedRegistries, noRegistries, unfetchedRegistries } from './registry-fixtures.ts'
import { routingOverOneTrunk, severalTrunks, switchedRouting } from './routing-fixtures.ts'
import { press, type Screen } from './screen.ts'
import { almostSetUp, notSetUp } from './setup-fixtures.ts'
import { noSwitchOvers } from './switch-over-fixtures.ts'
import { noTariffs } from './tariff-fixtures.ts'
import { oneTrunk } from './trunk-fixtures.ts'
import { emptyBoard, troubledBoard } from './wallboard-fixtures.ts'

export const consoleScreens: readonly Screen[] = [
  { name: 'wallboard', path: '/console/wallboard', answers: startedAccount },
  {
    name: 'wallboard-trouble',
    path: '/console/wallboard',
    answers: (nowMs) => ({ ...startedAccount(nowMs), wallboard: troubledBoard(nowMs) }),
  },
  {
    name: 'wallboard-new',
    path: '/console/wallboard',
    answers: (nowMs) => ({ ...startedAccount(nowMs), wallboard: emptyBoard(nowMs) }),
  },
  { name: 'calls', path: '/console/calls', answers: startedAccount },
  {
    name: 'calls-none',
    path: '/console/calls?ids=0&trunk=beta&side=carrier',
    answers: (nowMs) => ({ ...startedAccount(nowMs), calls: { calls: [], nextBefore: null } }),
  },
  { name: 'call', path: '/console/calls/233715489767431', answers: startedAccount },
  { name: 'deliverability', path: '/console/deliverability', answers: startedAccount },
  {
    name: 'deliverability-one-trunk',
    path: '/console/deliverability?hours=24',
    answers: (nowMs) => ({
      ...startedAccount(nowMs),
      deliverability: deliverability(nowMs, ['alfa-msk']),
      'switch-overs': noSwitchOvers,
    }),
  },
  {
    name: 'deliverability-empty',
    path: '/console/deliverability',
    answers: (nowMs) => ({
      ...startedAccount(nowMs),
      deliverability: { from: 0, until: nowMs, cells: [], changes: [] },
    }),
  },
  { name: 'deliveries', path: '/console/webhooks', answers: startedAccount },
  {
    name: 'deliveries-none',
    path: '/console/webhooks',
    answers: (nowMs) => ({
      ...startedAccount(nowMs),
      deliveries: { waiting: 0, lateSeconds: null, hosts: [], failed: [], examinedMax: 2_000 },
    }),
  },
  { name: 'audit', path: '/console/audit', answers: startedAccount },
  {
    name: 'audit-none',
    path: '/console/audit?action=tariff&account=512',
    answers: (nowMs) => ({ ...startedAccount(nowMs), 'audit-log': { entries: [], nextBefore: null, chains: [] } }),
  },
  { name: 'trunks', path: '/console/trunks', answers: startedAccount },
  {
    name: 'trunks-one',
    path: '/console/trunks',
    answers: (nowMs) => ({ ...startedAccount(nowMs), trunks: oneTrunk(nowMs) }),
  },
  {
    name: 'trunks-none',
    path: '/console/trunks',
    answers: (nowMs) => ({ ...startedAccount(nowMs), trunks: { stop: null, trunks: [] } }),
  },
  {
    name: 'trunks-stopped',
    path: '/console/trunks',
    answers: (nowMs) => ({
      ...startedAccount(nowMs),
      trunks: { ...oneTrunk(nowMs), stop: { reason: 'toll fraud', stoppedAt: nowMs - 60_000 } },
    }),
    act: async (page) => {
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'trunk', path: '/console/trunks/alfa', answers: startedAccount, act: placeTestCall },
  {
    name: 'trunk-edit',
    path: '/console/trunks/beta',
    answers: startedAccount,
    act: (page) => press(page, /^(Change the connection|Изменить подключение)$/),
  },
  { name: 'trunk-edit-ring', path: '/console/trunks/beta', answers: startedAccount, act: ringTooLong },
  { name: 'trunk-add', path: '/console/trunks/add', answers: startedAccount },
  { name: 'trunk-added', path: '/console/trunks/add', answers: startedAccount, act: connectCarrier },
  {
    name: 'console-codes',
    path: '/console/codes',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...callerNumbers() }),
  },
  { name: 'console-codes-holes', path: '/console/codes?code=5121', answers: codesWithHoles },
  {
    name: 'console-codes-import',
    path: '/console/codes',
    answers: codesWithHoles,
    act: async (page) => {
      await press(page, /^(Import numbers|Загрузить номера)/)
      await page.locator('textarea').fill('70000000000-70000009999')
      await press(page, /^(Check the list|Проверить список)/)
      await page.getByRole('dialog').getByRole('status').waitFor()
    },
  },
  {
    name: 'console-codes-remove',
    path: '/console/codes',
    answers: codesWithHoles,
    act: async (page) => {
      await press(page, /^(Take out of use|Вывести из работы): 7/)
      await page.getByRole('dialog').getByRole('status').waitFor()
    },
  },
  {
    name: 'console-codes-empty',
    path: '/console/codes',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...noCallerNumbers() }),
  },
  {
    name: 'console-inbound',
    path: '/console/inbound',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...inboundAnswers(nowMs) }),
  },
  {
    name: 'console-inbound-empty',
    path: '/console/inbound',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...noInbound(nowMs) }),
    act: async (page) => {
      await press(page, /^(Add numbers|Добавить номера)$/)
      await page.getByRole('dialog').getByRole('textbox').first().fill('70000100000')
    },
  },
  {
    name: 'console-routing',
    path: '/console/routing',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...routingOverOneTrunk }),
    act: askForRoute,
  },
  {
    name: 'console-routing-refused',
    path: '/console/routing',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...severalTrunks }),
    act: askForRoute,
  },
  {
    name: 'console-routing-switched',
    path: '/console/routing',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...switchedRouting(nowMs) }),
    act: askForRoute,
  },
  {
    name: 'console-routing-new',
    path: '/console/routing',
    answers: (nowMs) => ({ ...startedAccount(nowMs), routing: { trunks: [], stop: null } }),
  },
  { name: 'customers', path: '/console/customers', answers: startedAccount },
  {
    name: 'customers-none',
    path: '/console/customers?text=nobody&state=blocked',
    answers: (nowMs) => ({ ...startedAccount(nowMs), customers: { customers: [], nextBefore: null } }),
  },
  { name: 'customer', path: '/console/customers/512', answers: startedAccount },
  {
    name: 'customer-odd',
    path: '/console/customers/533',
    answers: (nowMs) => ({ ...startedAccount(nowMs), customer: oddCustomer(nowMs) }),
    act: (page) => press(page, /^(Change the caps of|Изменить лимиты сервиса) .?Sign-in.?$/),
  },
  {
    name: 'customer-blocked',
    path: '/console/customers/290',
    answers: (nowMs) => ({ ...startedAccount(nowMs), customer: blockedCustomer(nowMs) }),
  },
  {
    name: 'customer-money',
    path: '/console/customers/512',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(Credit or debit|Зачислить или списать)$/)
      const fields = page.getByRole('dialog').getByRole('textbox')
      await fields.nth(0).fill('5 000,5')
      await fields.nth(1).fill('payment 2391')
    },
  },
  {
    name: 'customer-view',
    path: '/dashboard/overview',
    answers: (nowMs) => viewOf(startedAccount(nowMs), nowMs),
  },
  {
    name: 'fraud',
    path: '/console/fraud',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(Change: Calls of one service|Изменить: Звонки одного сервиса)/)
      await page.getByRole('textbox', { name: /^(Limit|Предел)/ }).fill('20')
      await press(page, /^(Replay|Проверить)$/)
      await page.getByText(/312/).first().waitFor()
    },
  },
  {
    name: 'fraud-level',
    path: '/console/fraud',
    answers: (nowMs) => ({ ...startedAccount(nowMs), 'replay-fraud-rules': replayedLevel(nowMs) }),
    act: async (page) => {
      await press(page, /^(Max|Наибольшая)$/)
      await press(page, /^(Replay|Проверить)$/)
      await page.locator('main').getByRole('status').first().waitFor()
    },
  },
  {
    name: 'fraud-quiet',
    path: '/console/fraud',
    answers: (nowMs) => ({ ...startedAccount(nowMs), protection: quietProtection() }),
  },
  {
    name: 'fraud-stopped',
    path: '/console/fraud',
    answers: (nowMs) => ({
      ...startedAccount(nowMs),
      protection: { ...quietProtection(), stop: { reason: 'toll fraud', stoppedAt: nowMs - 60_000 } },
    }),
  },
  {
    name: 'fraud-unblock',
    path: '/console/fraud',
    answers: startedAccount,
    act: (page) => press(page, /^(Unblock|Разблокировать) 7907123/),
  },
  { name: 'tariffs', path: '/console/tariffs', answers: startedAccount },
  {
    name: 'tariffs-new',
    path: '/console/tariffs',
    answers: (nowMs) => ({ ...startedAccount(nowMs), tariffs: noTariffs(nowMs) }),
  },
  {
    name: 'tariffs-price',
    path: '/console/tariffs',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(New price|Новая цена)$/)
      await page.getByRole('textbox', { name: /^(Price|Цена)/ }).fill('0,45')
      await page.getByRole('dialog').getByRole('status').waitFor()
    },
  },
  {
    name: 'tariffs-new-tariff',
    path: '/console/tariffs',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(New tariff|Новый тариф)$/)
      await page.getByRole('textbox', { name: /^(Name|Название)/ }).fill('Partners')
      await page.getByRole('textbox', { name: /^(Code|Код)/ }).fill('partners 2')
    },
  },
  { name: 'announcements', path: '/console/announcements', answers: startedAccount },
  {
    name: 'announcements-none',
    path: '/console/announcements',
    answers: (nowMs) => ({ ...startedAccount(nowMs), announcements: { announcements: [] } }),
  },
  {
    name: 'announcements-add',
    path: '/console/announcements',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(New announcement|Новое объявление)$/)
      await page.getByRole('dialog').getByRole('combobox').selectOption('maintenance')
    },
  },
  {
    name: 'announcements-banner',
    path: '/dashboard/overview',
    answers: (nowMs) => ({ ...startedAccount(nowMs), 'current-announcements': announcedOutage() }),
  },
  {
    name: 'registries',
    path: '/console/registries',
    answers: startedAccount,
    act: async (page) => {
      await page.getByRole('textbox').fill('+7 907 000-01-23')
      await press(page, /^(Look up|Посмотреть)$/)
    },
  },
  {
    name: 'registries-rollback',
    path: '/console/registries',
    answers: (nowMs) => ({ ...startedAccount(nowMs), registries: failedRegistries(nowMs) }),
    act: (page) => press(page, /^(Roll back|Вернуть)$/),
  },
  {
    name: 'registries-not-fetched',
    path: '/console/registries',
    answers: (nowMs) => ({ ...startedAccount(nowMs), registries: unfetchedRegistries(nowMs) }),
  },
  {
    name: 'registries-none',
    path: '/console/registries',
    answers: (nowMs) => ({ ...startedAccount(nowMs), registries: noRegistries }),
  },
  { name: 'system', path: '/console/system', answers: startedAccount },
  { name: 'system-health', path: '/console/system/health', answers: startedAccount },
  { name: 'system-company', path: '/console/system/company', answers: startedAccount },
  { name: 'system-operators', path: '/console/system/operators', answers: startedAccount },
  {
    name: 'system-setup',
    path: '/console/system',
    answers: (nowMs) => ({ ...startedAccount(nowMs), setup: almostSetUp }),
  },
  {
    name: 'system-new',
    path: '/console/system',
    answers: (nowMs) => ({ ...startedAccount(nowMs), setup: notSetUp }),
  },
  {
    name: 'system-secret',
    path: '/console/system/payments',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(New secret|Новый секрет)$/)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(New secret|Новый секрет)$/ })
        .click()
    },
  },
]

async function placeTestCall(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /^(Your phone|Ваш телефон)/ }).fill('79070002180')
  await press(page, /^(Test call now|Позвонить сейчас)$/)
  await page.getByRole('button', { name: /^180 Ringing/ }).waitFor()
}

// At the end of the dialog.
async function ringTooLong(page: Page): Promise<void> {
  await press(page, /^(Change the connection|Изменить подключение)$/)
  await page.getByRole('textbox', { name: /^(Ring time of a flash call|Сколько секунд звонит флеш-звонок)/ }).fill('21')
  await page.getByText(/(from 1 to 20|от 1 до 20)\.$/).scrollIntoViewIfNeeded()
}

async function connectCarrier(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /^(Host|Хост)/ }).fill('sip.beta.example')
  await press(page, /^(Connect|Подключить)$/)
  await page.getByRole('heading', { name: /^beta/ }).waitFor()
}

async function askForRoute(page: Page): Promise<void> {
  await page.locator('form input').first().fill('7 900 000 01 42')
  await press(page, /^(Show|Показать)$/)
  await page.locator('main').getByRole('status').first().waitFor()
}

// An operator looks at the dashboard of a customer.
function viewOf(answers: Answers, nowMs: number): Answers {
  const { me, ...rest } = viewerOf(answers)
  return me === undefined ? answers : { ...rest, me: { ...me, accounts: [], viewUntil: nowMs + 1_680_000 } }
}

function codesWithHoles(nowMs: number): Answers {
  return { ...startedAccount(nowMs), ...callerNumbersWithHoles(nowMs) }
}
