import { memberRoles, operatorRoles } from '../../contract/src/web/access.ts'
import type { Law } from './read-tree.ts'
import type { Use } from './read-uses.ts'

// Packages that only one folder of the server may import, so that a change of theirs stays in that folder.
const keepers: { packages: RegExp; keeper: string; also?: string }[] = [
  { packages: /^(pg|pg-.+|node-pg-migrate)$/, keeper: 'server/src/db/' },
  { packages: /^@nats-io\/.+$/, keeper: 'server/src/engine/' },
  // To receivers that customers choose, and to the one address that the operator chooses: different rules hold for each.
  { packages: /^undici$/, keeper: 'server/src/webhooks/', also: 'server/src/numbering/download.ts' },
  { packages: /^standardwebhooks$/, keeper: 'server/src/webhooks/' },
  { packages: /^grammy$/, keeper: 'server/src/mail/telegram.ts' },
  { packages: /^nodemailer$/, keeper: 'server/src/mail/' },
  { packages: /^@simplewebauthn\/.+$/, keeper: 'server/src/web/passkeys.ts' },
  { packages: /^ws$/, keeper: 'server/src/telephony/asterisk/ari-connection.ts' },
]
const socketFile = 'server/src/telephony/asterisk/ari-connection.ts'

const clockFile = 'server/src/process/clock.ts'
const configFile = 'server/src/process/config/config.ts'
const domainFolder = 'server/src/domain/'

const timeModules = /^(node:)?(timers(\/.+)?|perf_hooks)$/
const timeUses = new Set([
  'Date.now',
  'new Date()',
  'Date()',
  'AbortSignal.timeout',
  'process.hrtime',
  'process.uptime',
  'setTimeout',
  'setInterval',
  'setImmediate',
])
// Anything measured with `performance`, and any capture of one of these as a whole.
const timeHolders = /^(performance(\.[^.]+)?|Date|AbortSignal)$/
const randomUses = /^crypto\.(webcrypto\.)?(subtle\.)?(random|getRandomValues|generateKey|generatePrime)/

export const packageKeepersLaw: Law = (tree) =>
  tree.modules.filter(isShipped).flatMap(({ path, imports }) =>
    imports.flatMap((one) => {
      const name = packageName(one.specifier)
      const rule = keepers.find(
        ({ packages, keeper, also }) => packages.test(name) && !path.startsWith(keeper) && path !== also,
      )
      if (rule === undefined) return []
      const known = [rule.keeper.replace(/\/$/, ''), rule.also].filter((place) => place !== undefined)
      const who = known.length === 1 ? `only ${known[0]} knows` : `only ${known.join(' and ')} know`
      return [{ path, line: one.line, text: `imports ${name}: ${who} it` }]
    }),
  )

export const environmentLaw: Law = (tree) =>
  tree.modules
    .filter((module) => isShipped(module) && module.path !== configFile)
    .flatMap(({ path, uses }) =>
      uses
        .filter(({ name }) => name === 'process.env' || wholes.has(name))
        .map(({ line, name }) => ({
          path,
          line,
          text: wholes.has(name)
            ? `captures ${name} as a whole: use its members directly, so that the use is visible`
            : `touches process.env: only ${configFile} knows it`,
        })),
    )

const wholes = new Set(['process', 'globalThis', 'global'])

// Network access outside node's own modules, which the import table covers.
export const socketLaw: Law = (tree) =>
  tree.modules
    .filter((module) => isShipped(module) && module.path !== socketFile)
    .flatMap(({ path, uses }) =>
      uses
        .filter(({ name }) => /^(WebSocket|EventSource)$/.test(name))
        .map(({ line, name }) => ({ path, line, text: `uses ${name}: only ${socketFile} knows it` })),
    )

export const effectLaw: Law = (tree) =>
  tree.modules
    .filter((module) => module.path.startsWith(domainFolder))
    .flatMap(({ path, uses }) =>
      uses
        .filter(({ name }) => name === 'fetch' || /^process\.(?!env$)[^.]+$/.test(name))
        .map(({ line, name }) => ({ path, line, text: `uses ${name}: the domain touches nothing outside itself` })),
    )

export const timeLaw: Law = (tree) =>
  tree.modules
    .filter((module) => isShipped(module) && module.path !== clockFile)
    .flatMap(({ path, uses, imports }) => {
      const imported = imports.filter((one) => timeModules.test(one.specifier))
      const used = uses.filter(({ name }) => timeUses.has(name) || timeHolders.test(name))
      return [
        ...imported.map(({ line, specifier }) => ({ path, line, text: `imports ${specifier}: ${onlyTheClock}` })),
        ...used.map(({ line, name }) => ({ path, line, text: `uses ${name}: ${onlyTheClock}` })),
      ]
    })

const onlyTheClock = `only ${clockFile} knows time`

export const randomnessLaw: Law = (tree) =>
  tree.modules
    .filter((module) => module.path.startsWith('server/src/'))
    .flatMap(({ path, uses }) =>
      uses
        .filter((use) => isRandomness(use, path))
        .map(({ line, name }) => ({
          path,
          line,
          text: path.startsWith(domainFolder)
            ? `uses ${name}: randomness comes into the domain as an argument`
            : `uses ${name}: it can be guessed, node:crypto cannot`,
        })),
    )

// Where a role is given. What a role may do is asked of the table, so that a new role may do nothing.
const roleTable = 'contract/src/web/access.ts'
const roleGivers = new Set([
  roleTable,
  // Who signs up owns the account.
  'server/src/actions/accounts/sign-up.ts',
  // How the dashboard looks to an operator; the rights are in the table.
  'server/src/actions/people/visitor.ts',
  // Their words.
  'server/src/mail/letters.ts',
  'web/src/words/roles.ts',
  // The owner of a range of numbers.
  'server/src/numbering/registry-table.ts',
  // What is offered first.
  'server/src/cli/people/operators.ts',
  'web/src/console/system/Operators.tsx',
  'web/src/dashboard/account/Members.tsx',
])
const roleText = new RegExp(`(['"\`])(${[...memberRoles, ...operatorRoles].join('|')})\\1`)

export const roleLaw: Law = (tree) =>
  tree.modules
    .filter(({ path }) => /^(server|web|contract)\/src\//.test(path) && !roleGivers.has(path))
    .flatMap(({ path }) =>
      tree
        .readText(path)
        .split('\n')
        .flatMap((text, at) => {
          const [found] = roleText.exec(text) ?? []
          return found === undefined
            ? []
            : [{ path, line: at + 1, text: `names the role ${found}: ${roleTable} says who may do what` }]
        }),
    )

// The pages import nothing from the server.
const unitFiles = new Set(['server/src/domain/values/time.ts', 'web/src/time.ts'])
const unitText = /\bconst (?:minute|hour|day|week)(?:Ms|Seconds)? = \d/
const unitNumber = /(?<![\d_])(?:3_600_000|86_400_000|604_800_000)(?![\d_])/

export const unitLaw: Law = (tree) =>
  tree.modules
    .filter(({ path }) => !unitFiles.has(path))
    .flatMap(({ path }) => {
      const isFound = (text: string) =>
        unitText.test(text) || (/^(server|web)\/src\//.test(path) && unitNumber.test(text))
      const file = path.startsWith('web/') ? 'web/src/time.ts' : 'server/src/domain/values/time.ts'
      return tree
        .readText(path)
        .split('\n')
        .flatMap((text, at) =>
          isFound(text) ? [{ path, line: at + 1, text: `writes out a length of time: import it from ${file}` }] : [],
        )
    })

function isRandomness(use: Use, path: string): boolean {
  return use.name === 'Math.random' || (path.startsWith(domainFolder) && randomUses.test(use.name))
}

function isShipped({ path }: { path: string }): boolean {
  return path.startsWith('server/src/') || path.startsWith('contract/src/')
}

export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
