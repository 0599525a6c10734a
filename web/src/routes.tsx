// The addresses. Screens load when they are opened; those of the console only in an operator's browser.

import { webPages } from '@ringproof/contract/web/pages.ts'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router'
import { currentLanguage } from './preferences.ts'
import { queryClient, readOptions } from './queries.ts'
import { Console, Dashboard, Missing, Outside, RouteFailure } from './shell/frames.tsx'
import { loadScreenWords } from './words/words.ts'

const root = createRootRoute({
  beforeLoad: () => queryClient.ensureQueryData(readOptions('me')).then(() => undefined),
  notFoundComponent: Missing,
})

const outside = createRoute({ getParentRoute: () => root, id: '_outside', component: Outside })
const dashboard = createRoute({
  getParentRoute: () => root,
  id: '_dashboard',
  component: Dashboard,
  beforeLoad: ({ location }) => requireSignedIn(location),
})
const operatorConsole = createRoute({
  getParentRoute: () => root,
  id: '_console',
  component: Console,
  beforeLoad: ({ location }) => requireSignedIn(location),
})

const signScreens = [
  [webPages.signIn, 'SignIn', () => import('./sign/SignIn.tsx')],
  ['/dashboard/second-step', 'SecondStep', () => import('./sign/SecondStep.tsx')],
  ['/dashboard/sign-up', 'SignUp', () => import('./sign/SignUp.tsx')],
  ['/dashboard/check-mail', 'CheckMail', () => import('./sign/CheckMail.tsx')],
  [webPages.confirmEmail, 'ConfirmEmail', () => import('./sign/ConfirmEmail.tsx')],
  ['/dashboard/forgot', 'ForgotPassword', () => import('./sign/ForgotPassword.tsx')],
  [webPages.resetPassword, 'ResetPassword', () => import('./sign/ResetPassword.tsx')],
  [webPages.acceptInvitation, 'AcceptInvitation', () => import('./sign/AcceptInvitation.tsx')],
] as const

const dashboardScreens = [
  ['start', 'Start', 'start', () => import('./dashboard/start/Start.tsx')],
  ['verifications', 'Verifications', 'verifications', () => import('./dashboard/verifications/Verifications.tsx')],
  ['verifications/$id', 'Verification', 'verification', () => import('./dashboard/verifications/Verification.tsx')],
  ['overview', 'Overview', 'statistics', () => import('./dashboard/overview/Overview.tsx')],
  ['statistics', 'Statistics', 'statistics', () => import('./dashboard/statistics/Statistics.tsx')],
  ['balance', 'Balance', 'balance', () => import('./dashboard/balance/Balance.tsx')],
  ['services', 'Services', 'services', () => import('./dashboard/services/Services.tsx')],
  ['services/settings', 'ChooseService', 'settings', () => import('./dashboard/settings/ChooseService.tsx')],
  ['services/$serviceId/settings', 'Settings', 'settings', () => import('./dashboard/settings/Settings.tsx')],
  ['phones', 'Phones', 'phones', () => import('./dashboard/phones/Phones.tsx')],
  ['webhooks', 'Webhooks', 'webhooks', () => import('./dashboard/webhooks/Webhooks.tsx')],
  ['log', 'Log', 'log', () => import('./dashboard/log/Log.tsx')],
  ['log/$requestId', 'Log', 'log', () => import('./dashboard/log/Log.tsx')],
  ['numbers', 'Numbers', 'numbers', () => import('./dashboard/numbers/Numbers.tsx')],
  ['notices', 'Notices', 'notices', () => import('./dashboard/notices/Notices.tsx')],
  ['account/security', 'Security', 'account', () => import('./dashboard/account/Security.tsx')],
  ['account/members', 'Members', 'account', () => import('./dashboard/account/Members.tsx')],
  ['account/profile', 'Profile', 'account', () => import('./dashboard/account/Profile.tsx')],
] as const

const consoleScreens = [
  ['wallboard', 'Wallboard', ['wallboard', 'trunks'], () => import('./console/wallboard/Wallboard.tsx')],
  ['calls', 'Calls', 'calls', () => import('./console/calls/Calls.tsx')],
  ['calls/$id', 'Call', 'calls', () => import('./console/calls/Call.tsx')],
  [
    'deliverability',
    'Deliverability',
    ['deliverability', 'switch-overs'],
    () => import('./console/deliverability/Deliverability.tsx'),
  ],
  ['audit', 'Audit', 'audit', () => import('./console/audit/Audit.tsx')],
  ['trunks', 'Trunks', 'trunks', () => import('./console/trunks/Trunks.tsx')],
  ['trunks/add', 'AddTrunk', 'trunks', () => import('./console/trunks/AddTrunk.tsx')],
  ['trunks/$name', 'Trunk', 'trunks', () => import('./console/trunks/Trunk.tsx')],
  ['codes', 'Codes', 'caller-numbers', () => import('./console/codes/Codes.tsx')],
  ['inbound', 'Inbound', 'inbound', () => import('./console/inbound/Inbound.tsx')],
  ['webhooks', 'Deliveries', 'deliveries', () => import('./console/deliveries/Deliveries.tsx')],
  ['customers', 'Customers', 'customers', () => import('./console/customers/Customers.tsx')],
  ['customers/$id', 'Customer', 'customers', () => import('./console/customers/Customer.tsx')],
  ['fraud', 'Protection', 'protection', () => import('./console/protection/Protection.tsx')],
  ['routing', 'Routing', ['routing', 'switch-overs'], () => import('./console/routing/Routing.tsx')],
  ['announcements', 'Announcements', 'announcements', () => import('./console/announcements/Announcements.tsx')],
  ['tariffs', 'Tariffs', 'tariffs', () => import('./console/tariffs/Tariffs.tsx')],
  ['registries', 'Registries', 'registries', () => import('./console/registries/Registries.tsx')],
  ['system', 'SystemSetup', 'system', () => import('./console/system/System.tsx')],
  ['system/health', 'SystemHealth', 'system', () => import('./console/system/System.tsx')],
  ['system/company', 'SystemCompany', 'system', () => import('./console/system/System.tsx')],
  ['system/payments', 'SystemPayments', 'system', () => import('./console/system/System.tsx')],
  ['system/operators', 'SystemOperators', 'system', () => import('./console/system/System.tsx')],
] as const

type Module = Record<string, unknown>

function screen(name: string, load: () => Promise<Module>) {
  return lazyRouteComponent(load as () => Promise<Record<string, never>>, name)
}

const signRoutes = signScreens.map(([path, name, load]) =>
  createRoute({
    getParentRoute: () => outside,
    path,
    loader: () => loadScreenWords('sign', currentLanguage()).then(() => undefined),
    component: screen(name, load),
  }),
)

// Each twice: with live traffic, and with that of the sandbox.
const dashboardRoutes = ['/dashboard', '/dashboard/test'].flatMap((base) =>
  dashboardScreens.map(([path, name, words, load]) =>
    createRoute({
      getParentRoute: () => dashboard,
      path: `${base}/${path}`,
      loader: () => loadScreenWords(words, currentLanguage()).then(() => undefined),
      component: screen(name, load),
    }),
  ),
)

const consoleRoutes = consoleScreens.map(([path, name, words, load]) =>
  createRoute({
    getParentRoute: () => operatorConsole,
    path: `/console/${path}`,
    loader: async () => {
      await Promise.all([words].flat().map((of) => loadScreenWords(of, currentLanguage())))
    },
    component: screen(name, load),
  }),
)

const dashboardHome = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: async ({ location }) => {
    await requireSignedIn(location)
    redirect({ to: await homeAddress(), throw: true })
  },
})
const consoleHome = createRoute({
  getParentRoute: () => root,
  path: '/console',
  beforeLoad: async ({ location }) => {
    await requireSignedIn(location)
    redirect({ to: await consoleAddress(), throw: true })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    outside.addChildren(signRoutes),
    dashboard.addChildren(dashboardRoutes),
    operatorConsole.addChildren(consoleRoutes),
    dashboardHome,
    consoleHome,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: RouteFailure,
  scrollRestoration: true,
})

async function requireSignedIn({ pathname, searchStr }: ParsedLocation): Promise<void> {
  const next = `${pathname}${searchStr}`
  const { stage, user } = await queryClient.ensureQueryData(readOptions('me'))
  if (stage === 'signed-out') redirect({ to: webPages.signIn, search: { next }, throw: true })
  if (stage === 'second-step') redirect({ to: '/dashboard/second-step', search: { next }, throw: true })
  if (user?.mustAddFactor === true && pathname !== webPages.security) redirect({ to: webPages.security, throw: true })
}

// Start until its steps are done; the operator who belongs to no account goes to the console.
async function homeAddress(): Promise<string> {
  const { account, user } = await queryClient.ensureQueryData(readOptions('me'))
  if (account === null && user?.operatorRole !== null) return consoleAddress()
  if (account === null) return '/dashboard/start'
  const start = await queryClient.ensureQueryData(readOptions('start')).catch(() => undefined)
  const isDone = start !== undefined && Object.values(start.steps).every(({ doneAt }) => doneAt !== null)
  return isDone ? '/dashboard/overview' : '/dashboard/test/start'
}

// Servers that do not answer hold the examination up, and it must not hold up the page.
const examinedMsMax = 1_500

// The setup until its steps are done, then the wallboard.
async function consoleAddress(): Promise<string> {
  const { user } = await queryClient.ensureQueryData(readOptions('me'))
  if (user?.operatorRole === null || user?.mustAddFactor === true) return '/console/wallboard'
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, examinedMsMax, undefined)
  })
  const setup = await Promise.race([queryClient.ensureQueryData(readOptions('setup')).catch(() => undefined), late])
  const isOpen = setup?.steps.some(({ state }) => state === 'open') === true
  return isOpen ? '/console/system' : '/console/wallboard'
}
