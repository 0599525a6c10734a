// Prometheus and promtool, Debian's package, unpacked into .stack once and kept there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackWithLibraries } from '../../../scripts/stack/debian.ts'
import { draftDirectory } from '../../../scripts/stack/draft.ts'
import { withLock } from '../../../scripts/stack/lock.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import { run } from '../../../scripts/stack/process.ts'
import { stackDirectory } from '../../../scripts/stack/state.ts'
import { atEnd } from '../at-end.ts'
import { pollUntilResolved } from '../poll.ts'
import { fileDirectory } from '../temporary-directory.ts'

export type Prometheus = {
  readonly query: (expression: string) => Promise<QueryResponse>
  // Every series it has of a selector, of the last hour.
  readonly series: (selector: string) => Promise<readonly Readonly<Record<string, string>>[]>
  // The selectors in an expression, as Prometheus parses it.
  readonly selectors: (expression: string) => Promise<readonly string[]>
  readonly rules: () => Promise<readonly Rule[]>
}

export type Rule = {
  readonly name: string
  readonly type: 'alerting' | 'recording'
  readonly query: string
  readonly duration?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export type QueryResponse =
  | { readonly error: string }
  | { readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[] }

const installedDirectory = join(stackDirectory, 'prometheus')
// The first suite with version 3, which deploy/compose runs.
const suite = 'forky'
// Both programs are static but for the C library.
const noLibraries = /^$/

/** Scrapes the targets (host:port) every second and evaluates the rules. Stopped after the tests of the file. */
export async function startPrometheus(targets: readonly string[], rulesFile: string): Promise<Prometheus> {
  await install()
  const base = `http://127.0.0.1:${await freePort()}`
  const configFile = join(fileDirectory(), 'prometheus.json')
  const interval = { scrape_interval: '1s', evaluation_interval: '1s' }
  const scrape = [{ job_name: 'ringproof', static_configs: [{ targets }] }]
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify({ global: interval, rule_files: [rulesFile], scrape_configs: scrape }))
  const child = spawn(
    program('prometheus'),
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(fileDirectory(), 'tsdb')}`,
      `--web.listen-address=${new URL(base).host}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const closed = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await closed
  })
  const ready = async () => {
    const response = await fetch(`${base}/-/ready`)
    if (!response.ok) throw new Error(await response.text())
  }
  await pollUntilResolved('Prometheus to be ready', ready, { intervalMs: 200 })
  return {
    query: (expression) => query(base, expression),
    series: (selector) => get(base, 'series', { 'match[]': selector }),
    selectors: async (expression) => selectorsIn(await get<Node>(base, 'parse_query', { query: expression })),
    rules: async () => (await get<{ groups: { rules: Rule[] }[] }>(base, 'rules')).groups.flatMap(({ rules }) => rules),
  }
}

/** Runs promtool; rejects with its output if it fails. */
export async function promtool(...args: readonly string[]): Promise<string> {
  await install()
  return run([program('promtool'), ...args])
}

type QueryResult = {
  readonly error?: string
  readonly data?: {
    readonly result: readonly { readonly metric: Record<string, string>; readonly value: [number, string] }[]
  }
}

async function query(base: string, expression: string): Promise<QueryResponse> {
  const response = await fetch(`${base}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`)
  const { error, data } = (await response.json()) as QueryResult
  if (!data) return { error: error ?? `HTTP ${response.status}` }
  return { samples: data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) })) }
}

async function get<T>(base: string, path: string, parameters: Readonly<Record<string, string>> = {}): Promise<T> {
  const response = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
  const { data, error } = (await response.json()) as { data?: T; error?: string }
  if (data === undefined) throw new Error(`Prometheus refused ${path} ${JSON.stringify(parameters)}: ${error}`)
  return data
}

// A node of a parsed expression; other fields hold its parts.
type Node = { readonly type?: string; readonly name?: string; readonly matchers?: readonly Matcher[] }
type Matcher = { readonly name: string; readonly type: string; readonly value: string }

function selectorsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, matchers } = node as Node
  if ((type === 'vectorSelector' || type === 'matrixSelector') && matchers) {
    return [`{${matchers.map((one) => `${one.name}${one.type}${JSON.stringify(one.value)}`).join(',')}}`]
  }
  return [...new Set(Object.values(node).flatMap(selectorsIn))]
}

function program(name: 'prometheus' | 'promtool'): string {
  return join(installedDirectory, 'usr/bin', name)
}

// The directory is moved to its name only when complete.
async function install(): Promise<void> {
  if (existsSync(program('promtool'))) return
  await withLock(async () => {
    if (existsSync(program('promtool'))) return
    const draft = await draftDirectory(installedDirectory)
    const tree = await unpackWithLibraries(['prometheus', 'promtool'], noLibraries, suite, draft)
    await run([join(tree, 'usr/bin/promtool'), '--version'])
    await rm(installedDirectory, { recursive: true, force: true })
    await rename(tree, installedDirectory)
    await rm(draft, { recursive: true })
  })
}
