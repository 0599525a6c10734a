import { cleanTree, lines, manifest, type TreeFiles } from './fixture-tree.ts'
import type { LawName } from './laws.ts'

// One violation in an otherwise clean tree, the law that must find it, and what its complaint must contain.
type SeededViolation = { law: LawName; says: string; files: TreeFiles }

// In two parts, because this file follows the law, too.
const hyphenated = ['web', 'hook'].join('-')
const legal = ['ver', 'dict'].join('')
const slash = '/'
const equals = '='

export const seededViolations: SeededViolation[] = [
  ...seededIn('server/src/http/x.ts', [
    ['imports', `import { pool } from '../db/core/pool.ts'`, '/x.ts:1 imports server/src/db/core/pool.ts: http may'],
    ['imports', `import type { pool } from '../db/core/pool.ts'`, 'imports server/src/db/core/pool.ts'],
    ['imports', `export { pool } from '../db/core/pool.ts'\nexport const x = 1`, 'imports server/src/db/core/pool.ts'],
    ['imports', `export const x = await import('../db/core/pool.ts')`, 'imports server/src/db/core/pool.ts'],
    ['imports', `export type X = import('../db/core/pool.ts').Pool`, 'imports server/src/db/core/pool.ts'],
    ['imports', `import { run } from '../cli/core/run.ts'`, 'http may import only'],
    ['imports', `import { step } from '../engine/core/step.ts'`, 'http may import only'],
    ['imports', `import { readConfig } from '../process/config/config.ts'`, 'http may only import its types'],
    ['imports', `import { check } from '../../../scripts/check.ts'`, 'server/src imports only its own files'],
    [
      'keepers',
      `import { request } from 'undici'`,
      'imports undici: only server/src/webhooks and server/src/numbering/download.ts know it',
    ],
    ['keepers', `import { Pool } from 'pg'`, '/x.ts:1 imports pg: only server/src/db knows it'],
    ['environment', `export const x = process.env['X']`, 'touches process.env'],
    ['environment', `const { env } = process\nexport const x = env`, 'touches process.env'],
    ['environment', `import { env } from 'node:process'\nexport const x = env`, 'touches process.env'],
    ['environment', `import p from 'node:process'\nexport const x = p['env']`, ':2 touches process.env'],
    ['environment', `export const x = globalThis.process.env`, 'touches process.env'],
    ['environment', `export const x = (process as { env: unknown }).env`, 'touches process.env'],
    ['environment', `import { default as p } from 'node:process'\nexport const x = p.env`, ':2 touches process.env'],
    ['environment', 'const p = process\nexport const x = p.env', ':1 captures process as a whole'],
    ['environment', 'export const x = (p = process) => p', 'captures process as a whole'],
    ['environment', 'export const x = { process }', 'captures process as a whole'],
    ['environment', 'export const { ...x } = process', 'captures process as a whole'],
    ['environment', 'export const x = (name: string) => process[name]', 'captures process as a whole'],
    ['environment', `import p from 'node:process'\nexport const x = [p]`, ':2 captures process as a whole'],
    ['environment', 'export const x = globalThis.process', 'captures process as a whole'],
    ['environment', 'export const { process: x } = globalThis', 'captures process as a whole'],
    ['environment', 'export const x = globalThis', 'captures globalThis as a whole'],
    ['time', 'export const x = Date.now()', ':1 uses Date.now: only server/src/process/clock.ts knows time'],
    ['time', 'export const x = new Date()', 'uses new Date()'],
    ['time', 'export const x = Date()', 'uses Date()'],
    ['time', 'export const x = performance.now()', 'uses performance.now'],
    ['time', 'export const { now } = performance', 'uses performance.now'],
    ['time', 'export const x = performance.timeOrigin', 'uses performance.timeOrigin'],
    ['time', 'export const x = process.hrtime()', 'uses process.hrtime'],
    ['time', 'export const x = process.uptime()', 'uses process.uptime'],
    ['time', `import { uptime } from 'node:process'\nexport const x = uptime()`, 'uses process.uptime'],
    ['time', 'export const x = AbortSignal.timeout(10)', 'uses AbortSignal.timeout'],
    ['time', 'export const { timeout } = AbortSignal', 'uses AbortSignal.timeout'],
    ['time', 'const D = Date\nexport const x = D.now()', ':1 uses Date: only'],
    ['time', 'export class X extends Date {}', 'uses Date: only'],
    ['time', 'export const x = Reflect.construct(Date, [])', 'uses Date: only'],
    ['time', 'export const x = globalThis.Date', 'uses Date: only'],
    ['time', 'const p = performance\nexport const x = p.now()', ':1 uses performance: only'],
    ['time', 'const A = AbortSignal\nexport const x = A.timeout(1)', ':1 uses AbortSignal: only'],
    ['time', 'setTimeout(() => {}, 10)', 'uses setTimeout'],
    ['time', 'globalThis.setInterval(() => {}, 10)', 'uses setInterval'],
    ['time', 'export const x = { setImmediate }', 'uses setImmediate'],
    ['time', `import { setTimeout as wait } from 'node:timers/promises'`, 'imports node:timers/promises'],
    ['time', `import { performance } from 'node:perf_hooks'`, 'imports node:perf_hooks'],
    ['randomness', 'export const x = Math.random()', 'uses Math.random'],
    ['units', `const dayMs ${equals} 24 * 3_600\nexport const x = dayMs`, 'x.ts:1 writes out a length of time'],
    ['units', 'export const x = 7 * 86_400_000', 'import it from server/src/domain/values/time.ts'],
    [
      'roles',
      `export const x = (role: string) => role !== 'viewer'`,
      `names the role 'viewer': contract/src/web/access.ts`,
    ],
    [
      'sockets',
      `export const x = new WebSocket('x')`,
      'uses WebSocket: only server/src/telephony/asterisk/ari-connection.ts',
    ],
    ['sockets', `export const x = new globalThis.EventSource('x')`, 'uses EventSource: only'],
    ['sockets', 'const W = WebSocket\nexport const x = W', ':1 uses WebSocket: only'],
    ['undeclared', `import express from 'express/router'`, 'imports express: server/package.json does not declare it'],
    ['undeclared', `import fc from 'fast-check'`, 'imports fast-check: server/package.json'],
    ['missingFiles', `import { y } from './y.ts'`, 'imports ./y.ts: there is no such file'],
    ['missingFiles', `import { serve } from './serve'`, 'imports ./serve: there is no such file'],
    ['cycles', `export { x } from './x.ts'\nexport const y = 1`, 'server/src/http/x.ts → server/src/http/x.ts'],
    ['parse', 'export const = 1', 'cannot be parsed'],
    ['fileLength', 'export const x = 1\n'.repeat(301).trim(), 'has 301 lines: a file has at most 300'],
    ['functionLength', `export function long() {${'\n'.repeat(70)}}`, ':1 gives long 71 lines'],
    ['functionLength', `export const long = () => {${'\n'.repeat(70)}}`, 'gives long 71 lines'],
    ['functionLength', `export const x = { long() {${'\n'.repeat(70)}} }`, 'gives long 71 lines'],
    ['functionLength', `describe('x', () => {${'\n'.repeat(70)}})`, 'gives a function without a name 71 lines'],
    ['barrels', `export { serve } from './serve.ts'`, 'only re-exports'],
    ['barrels', `import { serve } from './serve.ts'\nexport { serve }`, 'only re-exports'],
    ['classes', 'export class Doer { constructor() {}\n do() {} }', 'has class Doer with one method'],
    ['machinePaths', `export const x = '${slash}work/main'`, `x.ts:1 names ${slash}work/`],
    ['machinePaths', `// ${slash}home/somebody/notes`, `names ${slash}home/somebody/`],
    ['machinePaths', `export const x = 'file://${slash}root/x'`, `names ${slash}root/`],
    ['retiredWords', `// A ${hyphenated} is sent.`, `x.ts:1 says "${hyphenated}"; write: webhook`],
    ['retiredWords', `export const ${legal} = 1`, `says "${legal}"`],
  ]),
  ...seededIn('server/src/domain/money/x.ts', [
    [
      'imports',
      `import { log } from '../../process/log/log.ts'`,
      'domain may import only domain, process/errors, contract',
    ],
    ['imports', `import { readFileSync } from 'node:fs'`, 'imports node:fs'],
    ['imports', `import { isIP, connect } from 'node:net'`, 'imports connect of node:net: domain knows only BlockList'],
    ['imports', `import { connect as isIP } from 'node:net'`, 'imports connect of node:net'],
    ['imports', `import * as net from 'node:net'`, 'imports * of node:net'],
    ['imports', `import net from 'node:net'`, 'imports * of node:net'],
    ['imports', `import type { Socket } from 'node:net'`, 'imports Socket of node:net'],
    ['imports', `export { Socket } from 'node:net'\nexport const x = 1`, 'imports Socket of node:net'],
    ['imports', `export const x = await import('node:net')`, 'imports * of node:net'],
    ['effects', `export const x = fetch('https://example.org')`, 'uses fetch: the domain touches nothing'],
    ['effects', 'export const { fetch: x } = globalThis', 'uses fetch: the domain'],
    ['effects', `export const x = process.stdout.write('x')`, 'uses process.stdout'],
    ['sockets', `export const x = new WebSocket('x')`, 'uses WebSocket'],
    ['environment', 'const p = process\nexport const x = p.argv', 'captures process as a whole'],
    ['randomness', `import { randomUUID } from 'node:crypto'`, 'uses crypto.randomUUID: randomness comes'],
    ['randomness', `import * as c from 'node:crypto'\nexport const x = c.randomInt(3)`, ':2 uses crypto.randomInt'],
    ['randomness', 'export const x = crypto.getRandomValues(new Uint8Array(1))', 'uses crypto.getRandomValues'],
  ]),
  ...seededIn('server/src/telephony/x.ts', [
    ['imports', `import type { Config } from '../process/config/config.ts'`, 'telephony may import only'],
    ['imports', `import { first } from '@ringproof/contract/api.ts'`, 'imports @ringproof/contract/api.ts'],
    ['keepers', `import { WebSocket } from 'ws'`, 'only server/src/telephony/asterisk/ari-connection.ts knows it'],
  ]),
  ...seededIn('server/src/actions/money/x.ts', [
    [
      'imports',
      `import { call } from '../../telephony/asterisk/ari-connection.ts'\nexport const x = () => call`,
      'actions may import only',
    ],
    [
      'keepers',
      `import type { Msg } from '@nats-io/jetstream'\nexport const x = (y: Msg) => y`,
      'only server/src/engine knows it',
    ],
  ]),
  ...seededIn('server/src/actions/accounts/x.ts', [
    ['verbs', 'export function charge() {}', 'exports charge, and so does server/src/actions/accounts/x.ts'],
  ]),
  ...seededIn('server/src/domain/x.ts', [
    ['nouns', 'export const x = 1', 'x.ts is in no noun of domain: they are core'],
  ]),
  ...seededIn('server/src/actions/charges/x.ts', [['nouns', 'export const x = 1', 'is in no noun of actions']]),
  ...seededIn('server/src/actions/core/x.ts', [
    [
      'nounOrder',
      `import { charge } from '../money/charge.ts'\nexport const x = () => charge`,
      'imports server/src/actions/money/charge.ts: money comes after core',
    ],
  ]),
  { law: 'folders', says: 'server/src/http has 41 files: a folder has at most 40', files: fullFolder() },
  ...seededIn('server/src/process/log/log.ts', [
    ['imports', `import { pool } from '../../db/core/pool.ts'`, 'process may import only'],
    ['imports', `import type { serve } from '../../main.ts'`, 'imports server/src/main.ts'],
  ]),
  ...seededIn('contract/src/x.ts', [
    [
      'contract',
      `import { at } from '../../server/src/domain/money/money.ts'`,
      'the contract imports only its own files',
    ],
    ['contract', `import { join } from 'node:path'`, 'imports node:path'],
    ['environment', 'export const x = process.env', 'touches process.env'],
    ['undeclared', `import fc from 'fast-check'`, 'contract/package.json does not declare it'],
  ]),
  ...seededIn('contract/src/lists/x.ts', [
    [
      'webBundle',
      `import { first } from '../api.ts'\nexport const x = first`,
      'imports ../api.ts: pages import its values',
    ],
  ]),
  ...[
    `export const x = ['c', 'a', 'b']`,
    `export type X = 'b' | 'c' | 'a' | null`,
    `export const x = (of: (...words: string[]) => boolean) => of('a', 'c', 'b')`,
    "export const x = `SELECT 1 WHERE x IN ('a', 'b', 'c')`",
  ].map((text) => ({
    law: 'lists' as const,
    says: 'server/src/http/x.ts:1 spells a b c again: the list is at server/src/domain/values/words.ts:1',
    files: {
      'server/src/domain/values/words.ts': `export const words = ['a', 'b', 'c']\n`,
      'server/src/http/x.ts': `${text}\n`,
    },
  })),
  ...seededIn('server/src/domain/money/x.ts', [
    ['lists', `export type X = 'en' | 'ru'\nexport const x = ['ru', 'en']`, '/x.ts:2 spells en ru again'],
  ]),
  ...seededIn('server/src/db/functions/x.sql', [
    ['lists', `SELECT x IN ('a', 'b', 'c')\nAND y = ANY (ARRAY['c', 'b', 'a'])`, 'x.sql:2 spells a b c again'],
  ]),
  ...seededIn('sdk/src/x.ts', [
    ['sdk', `import { at } from '../../server/src/domain/money/money.ts'`, 'the SDK imports only its own files'],
    ['sdk', `import { methods } from '@ringproof/contract/methods.ts'`, 'imports @ringproof/contract/methods.ts'],
    ['sdk', `import type { Server } from 'node:http'`, 'imports node:http'],
  ]),
  {
    law: 'sdk',
    says: 'sdk/package.json declares pg: the SDK has no dependencies',
    files: { 'sdk/package.json': manifest('@ringproof/client', { dependencies: { pg: '8.0.0' } }) },
  },
  ...seededIn('tests/x.test.ts', [
    ['undeclared', `import chai from 'chai'`, 'imports chai: package.json does not declare it'],
    ['fileLength', 'export const x = 1\n'.repeat(401).trim(), 'has 401 lines: a file has at most 400'],
    ['functionLength', `test('x', () => {${'\n'.repeat(70)}})`, 'gives a function without a name 71 lines'],
  ]),
  ...seededIn('web/src/dashboard/X.tsx', [
    [
      'webParts',
      `import { Menu } from '@base-ui/react/menu'`,
      'imports @base-ui/react/menu: only web/src/parts knows it',
    ],
    [
      'webScreens',
      `import { System } from '../console/System.tsx'`,
      'only web/src/routes.tsx loads a screen of the console',
    ],
    [
      'webScreens',
      `export const x = import('../console/System.tsx')`,
      'only web/src/routes.tsx loads a screen of the console',
    ],
    ['webBundle', `import { first } from '@ringproof/contract/api.ts'`, 'imports values of @ringproof/contract/api.ts'],
    [
      'webBundle',
      `import { at } from '../../../server/src/domain/money/money.ts'`,
      'web/src imports only its own files',
    ],
    ['webText', 'export const X = () => <p>Hello</p>', ':1 writes "Hello" into the page'],
    ['webText', 'export const X = () => <i aria-label="Привет" />', 'writes "Привет" into the page'],
    ['undeclared', `import dayjs from 'dayjs'`, 'imports dayjs: web/package.json does not declare it'],
    ['currency', '// 5 ₽', 'X.tsx:1 says "₽": the currency is a setting'],
    ['currency', '// 5 руб.', 'says "руб"'],
    ['currency', '// Kept in Roubles.', 'says "Rouble"'],
    ['currency', `export const currency = 'RUB'`, 'says "RUB"'],
    ['fileLength', 'export const x = 1\n'.repeat(301).trim(), 'has 301 lines: a file has at most 300'],
  ]),
  ...seededIn('web/src/words/words.ts', [
    ['webScreens', `export const x = import('../console/Row.tsx')`, 'only web/src/routes.tsx loads a screen'],
    ['webScreens', `import { words } from '../console/words.en.ts'`, 'only web/src/routes.tsx loads a screen'],
  ]),
  ...seededIn('web/src/shell/x.ts', [
    ['webScreens', `import { Start } from '../dashboard/Start.tsx'`, 'only web/src/routes.tsx loads a screen'],
  ]),
  ...seededIn('web/src/console/page-words.en.ts', [
    ['webWords', `export const words = { none: 'None' }`, 'has no web/src/console/page-words.ru.ts'],
  ]),
  ...seededIn('server/src/process/misc.ts', [['names', 'export const x = 1', 'is named misc']]),
  ...seededIn('server/src/http/utils/x.ts', [['names', 'export const x = 1', 'is named utils']]),
  ...seededIn('scripts/index.ts', [['names', 'export const x = 1', 'is an index']]),
  ...seededIn('server/src/cellar/x.ts', [['imports', 'export const x = 1', 'server/src/cellar is a layer that']]),
  ...seededIn('server/src/db/functions/x.sql', [
    [
      'sqlLength',
      `-- Long.\nCREATE OR REPLACE FUNCTION long() RETURNS void\nLANGUAGE sql\nAS $$\n${'SELECT 1;\n'.repeat(71)}$$;`,
      'x.sql:2 gives long 71 lines: an SQL function has at most 70',
    ],
  ]),
  ...seededIn('docs/x.md', [
    ['titles', '# One\n\n# Two', 'docs/x.md has 2 first-level headings'],
    ['titles', '```\n# One\n```\n## Two', 'has 0 first-level headings'],
    ['docPaths', '# One\n\nSee `server/src/gone.ts`.', 'docs/x.md:3 names server/src/gone.ts'],
    ['docPaths', '# One\n\nSee `tests/*.slow.ts`.', 'names tests/*.slow.ts'],
    ['docLinks', '# One\n\nSee [two](y.md#part).', 'docs/x.md:3 links to y.md'],
    ['docLinks', '# One\n\nSee [two](../README.md).', 'links to ../README.md'],
  ]),
  ...seededIn('docs/operations/tests.md', [
    ['scriptDocs', '# Tests\n\n| `check` |', 'has no row for `model`'],
    ['scriptDocs', '# Tests\n\n| `check` |\n| `model` |\n| `gone` |', 'lists gone: there is no such script or suite'],
  ]),
  {
    law: 'scriptCount',
    says: 'package.json has 31 scripts: at most 30',
    files: manyScripts(),
  },
  ...seededIn('ARCHITECTURE.md', [
    ['architectureLength', `# Map\n\n${'word '.repeat(1_200)}`, 'ARCHITECTURE.md has 1203 words: more than two pages'],
    ['docPaths', '# Map\n\n`domain/gone.ts`', 'ARCHITECTURE.md:3 names domain/gone.ts'],
    ['docPaths', '# Map\n\n`gone.ts`', 'ARCHITECTURE.md:3 names gone.ts'],
    ['docPaths', '# Map\n\n`cellar/`', 'ARCHITECTURE.md:3 names cellar/'],
  ]),
  {
    law: 'cycles',
    says: 'server/src/domain/money/a.ts → server/src/domain/money/b.ts → server/src/domain/money/a.ts',
    files: {
      'server/src/domain/money/a.ts': `import type { B } from './b.ts'\nexport type A = B\n`,
      'server/src/domain/money/b.ts': `import type { A } from './a.ts'\nexport type B = A\n`,
    },
  },
  {
    law: 'unused',
    says: 'server/package.json declares pg: no file of server/src imports it',
    files: { 'server/src/db/core/pool.ts': 'export const pool = 1\n' },
  },
  {
    law: 'dependencyDocs',
    says: 'has no row that starts with `pg`',
    files: {
      'docs/operations/dependencies.md': lines(
        '# Dependencies',
        '| `ws` | `pg` |',
        '| `undici` |',
        '| `@nats-io/jetstream` |',
      ),
    },
  },
  {
    law: 'dependencyDocs',
    says: 'docs/operations/dependencies.md is missing',
    files: { 'docs/operations/dependencies.md': '' },
  },
  manyDependencies(),
]

function seededIn(path: string, faults: [law: LawName, text: string, says: string][]): SeededViolation[] {
  return faults.map(([law, text, says]) => ({ law, says, files: { [path]: `${text}\n` } }))
}

function fullFolder(): TreeFiles {
  // One file of the clean tree is there, too.
  return Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`server/src/http/x${at}.ts`, `export const x = ${at}\n`]),
  )
}

// Each of them is documented, so that their number is the only violation.
function manyScripts(): TreeFiles {
  const names = Array.from({ length: 31 }, (_, at) => `script-${at}`)
  const scripts = Object.fromEntries(names.map((name) => [name, 'x']))
  return {
    'package.json': manifest('fixture-workspace', { scripts, devDependencies: { 'fast-check': '4.0.0' } }),
    'docs/operations/tests.md': lines('# Tests', '| `model` |', ...names.map((name) => `| \`${name}\` |`)),
  }
}

// Each of them is used and documented, so that their number is the only violation.
function manyDependencies(): SeededViolation {
  const names = Array.from({ length: 15 }, (_, at) => `package-${at}`)
  const all = [...names, 'pg', 'ws', 'undici', '@nats-io/jetstream']
  const dependencies = Object.fromEntries(all.map((name) => [name, '1.0.0']))
  return {
    law: 'dependencyCount',
    says: 'declares 19 runtime dependencies',
    files: {
      'server/package.json': manifest('ringproof', {
        dependencies: { ...dependencies, '@ringproof/contract': '0.0.0' },
      }),
      'server/src/http/x.ts': lines(...names.map((name) => `import '${name}'`)),
      'docs/operations/dependencies.md': lines(
        cleanTree['docs/operations/dependencies.md'] ?? '',
        ...names.map((name) => `| \`${name}\` |`),
      ),
    },
  }
}
