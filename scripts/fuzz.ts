// Runs as `npm run verify -- fuzz`: the API fuzzer.
//
//   npm run verify -- fuzz 200000              200,000 requests per method
//   npm run verify -- fuzz 20000 1557333197    repeats the run that printed this seed

import { spawnSync } from 'node:child_process'

process.exitCode = main(process.argv.slice(2))

function main([requests = '20000', seed, ...rest]: string[]): number {
  const isNumber = (text: string) => /^\d{1,10}$/.test(text)
  if (!isNumber(requests) || !isNumber(seed ?? '0') || rest.length > 0) {
    process.stderr.write('usage: npm run verify -- fuzz [requests to each method] [seed]\n')
    return 1
  }
  const { status } = spawnSync(process.execPath, ['scripts/test.ts', 'tests/integration/fuzz*.test.ts'], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, FUZZ_REQUESTS: requests, ...(seed === undefined ? {} : { FUZZ_SEED: seed }) },
    stdio: 'inherit',
  })
  return status ?? 1
}
