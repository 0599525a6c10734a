// A small complete source tree in memory: path from the root, and text of the file.
export type TreeFiles = Record<string, string>

export const cleanTree: TreeFiles = {
  'package.json': manifest('fixture-workspace', {
    scripts: { check: 'x' },
    devDependencies: { 'fast-check': '4.0.0' },
  }),
  'contract/package.json': manifest('@ringproof/contract', {}),
  'server/package.json': manifest('ringproof', {
    dependencies: {
      '@ringproof/contract': '0.0.0',
      pg: '8.0.0',
      ws: '8.0.0',
      undici: '8.0.0',
      '@nats-io/jetstream': '3.0.0',
    },
  }),
  'sdk/package.json': manifest('@ringproof/client', {}),
  'web/package.json': manifest('@ringproof/web', {
    devDependencies: { react: '19.0.0', '@base-ui/react': '1.0.0', '@ringproof/contract': '0.0.0' },
  }),
  'web/src/parts/forms/Button.tsx': lines(
    `import { Button as Base } from '@base-ui/react/button'`,
    'export const Button = ({ text }: { text: string }) => <Base title={text}>{text}: {"1"}</Base>',
  ),
  'web/src/routes.tsx': lines(
    `import type { Api } from '@ringproof/contract/api.ts'`,
    `import { pages } from '@ringproof/contract/web/pages.ts'`,
    `export const load = (api: Api) => [api, pages, import('./console/System.tsx'), import('./dashboard/Start.tsx')]`,
  ),
  'web/src/console/System.tsx': lines(`import { Row } from './Row.tsx'`, 'export const System = () => <Row />'),
  'web/src/console/Row.tsx': `export const Row = () => <i className="row" />\n`,
  'web/src/dashboard/Start.tsx': lines(
    `import { Button } from '../parts/forms/Button.tsx'`,
    `import { words } from '../words/en.ts'`,
    'export const Start = () => <Button text={words.start} />',
  ),
  'web/src/words/en.ts': `export const words = { start: 'Start' }\n`,
  'web/src/words/words.ts': `export const words = [import('../console/words.en.ts'), import('../console/words.ru.ts')]\n`,
  'web/src/words/ru.ts': `export const words = { start: 'Начало' }\n`,
  'web/src/console/words.en.ts': `export const words = { none: 'None' }\n`,
  'web/src/console/words.ru.ts': `export const words = { none: 'Нет' }\n`,
  'sdk/src/errors.ts': `export class Mistake extends Error {}\nexport const names = ['id', 'time', 'signature']\n`,
  'sdk/src/client.ts': `import { Mistake } from './errors.ts'\nexport const client = () => new Mistake()\n`,
  'docs/operations/dependencies.md': lines(
    '# Dependencies',
    '| Name |',
    '| - |',
    '| `pg` |',
    '| `ws` |',
    '| `undici` |',
    '| `@nats-io/jetstream` |',
  ),
  'docs/guide.md': lines('# Guide', '```sh', '# not a heading', '```', 'See https://example.org/work/in/progress.'),
  'docs/operations/tests.md': lines('# Tests', '| script |', '|---|', '| `check -- FILE` | 1 s |', '| `model` | 1 s |'),
  'scripts/verify.ts': lines('export const suites = {', '  model: [],', '}'),
  'ARCHITECTURE.md': lines(
    '# Map',
    '`server/src/main.ts`, `domain/money/money.ts`, `telephony/asterisk/ari-*.ts`, `http/`, `npm run check`, `accept_calls` and',
    '[the guide](docs/guide.md#part), [a site](https://example.org/gone.md), `process/config/config.ts`',
    '```',
    '`domain/sample.ts`',
    '```',
  ),
  'contract/src/methods.ts': `export const methods = ['call']\n`,
  'contract/src/api.ts': `import { methods } from './methods.ts'\nexport const first = methods[0]\n`,
  'server/src/main.ts': lines(
    `import { serve } from './http/serve.ts'`,
    `import { run } from './cli/core/run.ts'`,
    `import { step } from './engine/core/step.ts'`,
    `import { readConfig } from './process/config/config.ts'`,
    'serve(readConfig(), run, step, process.argv)',
  ),
  'server/src/process/config/config.ts': `export type Config = { port: string }\nexport const readConfig = () => process.env['PORT']\n`,
  'server/src/process/errors.ts': 'export class Mistake extends Error {}\n',
  'server/src/process/clock.ts': 'export const now = () => new Date()\nexport const later = setTimeout\n',
  'server/src/process/log/log.ts': 'export const log = (line: string) => line\n',
  'server/src/domain/money/money.ts': lines(
    `import { createHash } from 'node:crypto'`,
    `import { Mistake } from '../../process/errors.ts'`,
    'export type Randomness = { randomInt: (max: number) => number }',
    `export const at = (randomness: Randomness) => [new Date(0), Date.UTC(2020), randomness.randomInt(3), createHash, Mistake]`,
    `import { BlockList, isIP } from 'node:net'`,
    'export type Kept = { readonly process: string; readonly since: Date | Iterable<Date>; readonly until: AbortSignal }',
    'export const isDate = (kept: Kept) => [kept.since instanceof Date, kept.process, BlockList, isIP]',
  ),
  'server/src/numbering/download.ts': `import { request } from 'undici'\nexport const download = request\n`,
  'server/src/domain/money/tariff.ts': lines(
    `import { at } from './money.ts'`,
    // The names of fields, weights, and what is no word may stand there twice.
    `export type Part = Pick<{ a: 1; b: 2; c: 3; d: 4 }, 'a' | 'b' | 'c'>`,
    `export type Rest = Omit<Part, 'a' | 'b' | 'c'>`,
    `export const price = [at, ['x', 'x', 'y', 'z'], ['x', 'y', 'z', 'x'], ['a 1', 'b', 'c'], ['a 1', 'b', 'c']]`,
    `export const sdkHas = ['id', 'time', 'signature']`,
  ),
  'server/src/db/core/pool.ts': lines(
    `import { Pool } from 'pg'`,
    `import { randomUUID } from 'node:crypto'`,
    `import type { Config } from '../../process/config/config.ts'`,
    `export const pool = (config: Config) => new Pool(config, randomUUID())`,
  ),
  'server/src/actions/money/charge.ts': lines(
    `import { pool } from '../../db/core/pool.ts'`,
    'export function charge() {',
    '  return pool',
    '}',
  ),
  'server/src/engine/core/step.ts': lines(
    `import { jetstream } from '@nats-io/jetstream'`,
    `import { call } from '../../telephony/asterisk/ari-connection.ts'`,
    `export const step = (clock: { setTimeout: () => void }) => [jetstream, call, clock.setTimeout()]`,
  ),
  'server/src/telephony/asterisk/ari-connection.ts': `import { WebSocket } from 'ws'\nexport const call = () => new WebSocket('x')\n`,
  'server/src/http/serve.ts': lines(
    `import { first } from '@ringproof/contract/api.ts'`,
    `import { charge } from '../actions/money/charge.ts'`,
    `export const serve = (...rest: unknown[]) => [first, charge, rest]`,
  ),
  'server/src/cli/core/run.ts': `import { readConfig } from '../../process/config/config.ts'\nexport const run = readConfig\n`,
  'scripts/check.ts': `import fc from 'fast-check'\nexport const check = [fc, setTimeout, process.env['CI'], Date.now()]\n`,
  'tests/suite.test.ts': lines(
    `import { describe } from 'node:test'`,
    `import { serve } from '../server/src/http/serve.ts'`,
    `describe('a long suite', () => {`,
    '  serve()\n'.repeat(100),
    '})',
  ),
}

export function lines(...texts: string[]): string {
  return `${texts.join('\n')}\n`
}

export function manifest(name: string, rest: Record<string, Record<string, string>>): string {
  return `${JSON.stringify({ name, ...rest }, null, 2)}\n`
}
