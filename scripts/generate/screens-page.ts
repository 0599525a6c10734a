// docs/reference/screens.md: every screen of the dashboard and the console, where the menu has it, and who needs it how often.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { webPages } from '@ringproof/contract/web/pages.ts'
import { words } from '../../web/src/words/en.ts'

export const screensPage = 'docs/reference/screens.md'

type Audience = 'dashboard' | 'console'
type Place = { readonly name: keyof typeof words.nav; readonly withoutCustomers?: 'found' | 'absent' }
type Menu = {
  readonly placesOf: (audience: Audience, sells: boolean) => readonly Place[]
  readonly shownPlaces: (audience: Audience, isStarted: boolean, sells: boolean) => readonly Place[]
  readonly addressOf: (place: Place, traffic: 'live') => string
}

// By an address that the compiler does not follow: the icons bring React's types, which change those of the browser tests.
const menu = new URL('../../web/src/shell/places.ts', import.meta.url).href
const { placesOf, shownPlaces, addressOf } = (await import(menu)) as Menu

type Use = readonly [
  who: 'developer' | 'owner' | 'finance' | 'member' | 'operator' | 'on call' | 'support' | 'everybody',
  howOften: string,
]

const uses: Readonly<Record<string, Use>> = {
  '/dashboard/start': ['developer', 'until the first verified call'],
  '/dashboard/overview': ['owner', 'daily'],
  '/dashboard/verifications': ['developer', 'daily: what happened to a call'],
  '/dashboard/verifications/$id': ['developer', 'for each call that somebody asks about'],
  '/dashboard/statistics': ['owner', 'weekly'],
  '/dashboard/phones': ['developer', 'while a client is written and tested'],
  '/dashboard/services': ['developer', 'for a new service or key, and when a key has leaked'],
  '/dashboard/services/settings': ['developer', 'when a link of an error page leads to a setting'],
  '/dashboard/services/$serviceId/settings': ['developer', 'when limits, countries or modes change'],
  '/dashboard/log': ['developer', 'when a client gets refusals'],
  '/dashboard/log/$requestId': ['developer', 'when a request is named by its ID'],
  '/dashboard/webhooks': ['developer', 'while a receiver is written, and when webhooks are missing'],
  '/dashboard/numbers': ['owner', 'when a list of numbers is to be cleaned'],
  '/docs': ['developer', 'while a client is written'],
  '/dashboard/balance': ['finance', 'monthly, and to top up'],
  '/dashboard/notices': ['owner', 'once, to choose what is sent where'],
  '/dashboard/account/security': ['everybody', 'once, for a second factor'],
  '/dashboard/account/members': ['owner', 'when people come and go'],
  '/dashboard/account/profile': ['everybody', 'rarely'],
  '/console/wallboard': ['on call', 'all day'],
  '/console/calls': ['support', 'daily'],
  '/console/calls/$id': ['support', 'for each call that somebody asks about'],
  '/console/deliverability': ['on call', 'weekly, and when fewer phones ring'],
  '/console/trunks': ['operator', 'daily'],
  '/console/trunks/add': ['operator', 'once for each carrier'],
  '/console/trunks/$name': ['operator', 'when a carrier changes something or is in doubt'],
  '/console/codes': ['operator', 'when numbers change, or are labelled as spam'],
  '/console/inbound': ['operator', 'when confirmation numbers change'],
  '/console/routing': ['operator', 'with several trunks, when fewer phones ring'],
  '/console/customers': ['support', 'daily'],
  '/console/customers/$id': ['support', 'for each customer who asks'],
  '/console/tariffs': ['finance', 'when prices change'],
  '/console/fraud': ['on call', 'when customers report code 50'],
  '/console/registries': ['operator', 'monthly'],
  '/console/webhooks': ['support', 'when a receiver is down'],
  '/console/system': ['operator', 'until everything is set up'],
  '/console/system/health': ['on call', 'when an alert comes'],
  '/console/system/company': ['operator', 'once'],
  '/console/system/payments': ['finance', 'once'],
  '/console/system/operators': ['operator', 'when people come and go'],
  '/console/audit': ['operator', 'when somebody asks who changed something'],
  '/console/announcements': ['on call', 'in an outage, and before maintenance'],
  '/dashboard/sign-in': ['everybody', 'daily'],
  '/dashboard/second-step': ['everybody', 'with a second factor, at each sign-in'],
  '/dashboard/sign-up': ['owner', 'once'],
  '/dashboard/check-mail': ['owner', 'once, after signing up'],
  '/dashboard/confirm': ['owner', 'once, from the e-mail'],
  '/dashboard/forgot': ['everybody', 'when a password is lost'],
  '/dashboard/reset': ['everybody', 'when a password is lost'],
  '/dashboard/invitation': ['member', 'once, from the e-mail'],
}

export function screensText(repository: string): string {
  const sections = [
    ['Dashboard', tableOf(screensIn(repository, 'dashboardScreens', '/dashboard/'), 'dashboard')],
    ['Console', tableOf(screensIn(repository, 'consoleScreens', '/console/'), 'console')],
    ['Signing in', tableOf(screensIn(repository, 'signScreens', ''), undefined)],
  ] as const
  const listed = sections.flatMap(([, { paths }]) => paths)
  const unknown = Object.keys(uses).filter((path) => !listed.includes(path))
  if (unknown.length > 0) throw new Error(`There are no screens ${unknown.join(', ')}`)
  return `# Screens

Generated by \`npm run generate\` from \`web/src/routes.tsx\`, \`web/src/shell/places.ts\` and \`scripts/generate/screens-page.ts\`: all
${listed.length} screens. The menu of the dashboard has ${entries('dashboard', true)} entries, that of the console ${entries('console', true)}; in an installation for a company's own users
${entries('dashboard', false)} and ${entries('console', false)}. What a menu does not show is found by its name with Ctrl-K, unless it is about money.

${sections.map(([title, { text }]) => `## ${title}\n\n${text}`).join('\n\n')}
`
}

// The routes are components, which only a browser loads: their list is read as text.
function screensIn(repository: string, list: string, base: string): readonly string[] {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8')
  const [, routes = ''] =
    new RegExp(`^const ${list} = \\[\\n(.*?)^\\] as const`, 'ms').exec(read('web/src/routes.tsx')) ?? []
  const paths = [...routes.matchAll(/^ {2}\[\s*(?:'([^']+)'|webPages\.(\w+)),/gm)]
  return paths.map(([, path, name]) => `${base}${path ?? webPages[name as keyof typeof webPages]}`)
}

function tableOf(screens: readonly string[], audience: Audience | undefined) {
  const places = audience === undefined ? [] : placesOf(audience, true)
  const others = places.map((place) => addressOf(place, 'live')).filter((path) => !screens.includes(path))
  const paths = [...screens, ...others]
  const rows = paths.map((path) => {
    const use = uses[path]
    if (use === undefined)
      throw new Error(`Who needs ${path}, and how often, is not in scripts/generate/screens-page.ts`)
    const place = places.find((one) => addressOf(one, 'live') === path)
    return `| \`${path}\` | ${[...menuOf(place), ...use].join(' | ')} |`
  })
  const head = '| screen | menu entry | for own users | who | how often |\n|---|---|---|---|---|'
  return { paths, text: [head, ...rows].join('\n') }
}

function menuOf(place: Place | undefined): readonly [entry: string, ofOwnUsers: string] {
  if (place === undefined) return ['', '']
  const { name, withoutCustomers } = place
  const own = { found: 'by its name', absent: 'not there' } as const
  return [words.nav[name], withoutCustomers === undefined ? 'in the menu' : own[withoutCustomers]]
}

function entries(audience: Audience, sells: boolean): number {
  return Math.max(...[true, false].map((isStarted) => shownPlaces(audience, isStarted, sells).length))
}
