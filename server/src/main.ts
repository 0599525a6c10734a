// Parses the command line and runs a command. Each command loads only the modules it needs, so that it starts quickly.

import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import manifest from '../package.json' with { type: 'json' }
import type { InstallationProbes } from './actions/installation/examine-installation.ts'
import type { TestCall } from './actions/trunks/trunk-tests.ts'
import type { VaultNumbers } from './actions/verifications/personal-data.ts'
import type { CliContext, NumberingTools } from './cli/core/context.ts'
import { formatFailure } from './cli/core/format-failure.ts'
import { createProgressBar } from './cli/core/progress-bar.ts'
import { buildServeProgram } from './cli/installation/serve.ts'
import type { CallProgress } from './domain/verifications/call-outcome.ts'
import { type Clock, createClock } from './process/clock.ts'
import { type Config, printableSettings, readConfig } from './process/config/config.ts'
import { createLog } from './process/log/log.ts'
import { namedKeys, readSecrets } from './process/secrets.ts'

const { version } = manifest

const context: CliContext = {
  readConfig,
  printableSettings,
  randomBytes,
  actor: { address: '127.0.0.1', userAgent: `ringproof ${version}`, operator: userName() },
  say: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  serve: async (roles) => (await import('./serve.ts')).serve(roles, version),
  numbering,
  notifyNumberingChanged,
  reportProgress: createProgressBar(process.stderr),
  placeTestCall: testCall,
  prepareAsterisk,
  prepareEdge,
  installationProbes,
  exitWith: (code) => {
    // A client that failed to connect may keep its socket open. The result is written first.
    process.stdout.write('', () => process.exit(code))
  },
  eraseFromVault,
}

// The reader of our output may stop reading: `ringproof accounts list | head` is not a failure.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${formatFailure(error)}\n`)
  // Not exitCode: what a failed start could not close must not keep the process alive.
  process.exit(1)
}

// Only what runs is loaded.
async function run(words: readonly string[]): Promise<void> {
  if (words[0] === 'serve') {
    await buildServeProgram(context, version).parseAsync()
    return
  }
  const { buildProgram, runCommand } = await import('./cli/program.ts')
  await runCommand(buildProgram(context, version), context, words)
}

async function numbering(): Promise<NumberingTools> {
  const [registry, fetch, demo, ported, inspect, diff] = await Promise.all([
    import('./numbering/import-registry.ts'),
    import('./numbering/fetch-registry.ts'),
    import('./numbering/demo-registry.ts'),
    import('./numbering/import-ported.ts'),
    import('./numbering/inspect.ts'),
    import('./numbering/diff-versions.ts'),
  ])
  const { signal } = new AbortController()
  const fetchRegistry: NumberingTools['fetchRegistry'] = (options, report) =>
    fetch.fetchRegistry({ ...options, intervalMs: 0 }, { clock: createClock(1), signal, report })
  const diffVersions: NumberingTools['diffVersions'] = async (dir) => {
    const pair = await diff.readVersionPair(dir)
    return pair && diff.diffVersions(dir, pair)
  }
  return { ...registry, fetchRegistry, ...demo, ...ported, ...inspect, diffVersions }
}

// False if NATS could not be reached; then processes notice the change themselves within a minute.
async function notifyNumberingChanged(): Promise<boolean> {
  const config = readConfig()
  if (config.natsUrls.length === 0) return false
  const { publishOnce } = await import('./engine/core/bus.ts')
  const { streamNames } = await import('./engine/core/streams.ts')
  return publishOnce(config, streamNames(config.natsPrefix).numberingSubject).then(
    () => true,
    () => false,
  )
}

async function testCall(call: TestCall): Promise<CallProgress> {
  const { placeTestCall } = await import('./engine/trunks/place-test-call.ts')
  const config = readConfig()
  const keys = namedKeys(readSecrets(config.secretsDir))
  // Standard output is for the result only.
  const log = createLog({ write: () => undefined })
  return placeTestCall({ config, keys, clock: createClock(config.timeScale), log }, call)
}

async function eraseFromVault(numbers: VaultNumbers): Promise<void> {
  const { eraseFromVault: erase } = await import('./engine/core/erase-from-vault.ts')
  const config = readConfig()
  await erase(config, config.natsPrefix, numbers)
}

async function prepareAsterisk(directory: string, programs: string): Promise<string> {
  const { prepareAsterisk: prepare } = await import('./engine/trunks/prepare-asterisk.ts')
  return prepare(readConfig(), directory, programs)
}

async function prepareEdge(directory: string): Promise<string> {
  const { prepareEdge: prepare } = await import('./engine/trunks/prepare-edge.ts')
  return prepare(readConfig(), directory)
}

async function installationProbes(config: Config, clock: Clock): Promise<InstallationProbes> {
  const { createInstallationProbes } = await import('./roles/installation-probes.ts')
  return createInstallationProbes(config, clock)
}

// In a container the user may have an ID but no name.
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
