// Checks boards, rules and runbooks against a Prometheus that has scraped the real program. Each function returns the faults
// as sentences.

import { createCli } from '../process/cli-in-process.ts'
import type { Prometheus, Rule } from './prometheus.ts'

export type BoardQuery = { readonly where: string; readonly expression: string; readonly legend: string }

type GrafanaBoard = {
  readonly title: string
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}

export function queriesIn(text: string): readonly BoardQuery[] {
  const { title, panels } = JSON.parse(text) as GrafanaBoard
  return panels.flatMap((panel) =>
    panel.targets.map(({ expr, legendFormat }) => ({
      where: `${title} / ${panel.title}`,
      // Grafana replaces it by at least four scrape intervals.
      expression: expr.replaceAll('$__rate_interval', '1m'),
      legend: legendFormat,
    })),
  )
}

/** A query must be answered with a number, and by series that have every label of the legend. */
export async function queryFaults(prometheus: Prometheus, query: BoardQuery): Promise<readonly string[]> {
  const { where, expression, legend } = query
  const response = await prometheus.query(expression)
  if ('error' in response) return [`${where}: refused: ${response.error}`]
  const { samples } = response
  if (samples.length === 0) return [`${where}: no series: ${expression}`]
  if (samples.every(({ value }) => Number.isNaN(value))) return [`${where}: only NaN: ${expression}`]
  const labels = [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label)
  const missing = labels.filter((label) => samples.some((sample) => !(label in sample.labels)))
  return missing.map((label) => `${where}: a series without the label ${label} of the legend: ${expression}`)
}

/** Every selector of a rule must have series. An offset or a range does not matter: a test has no week of data. */
export async function selectorFaults(prometheus: Prometheus, { name, query }: Rule): Promise<readonly string[]> {
  const selectors = await prometheus.selectors(query)
  if (selectors.length === 0) return [`${name}: its expression selects nothing: ${query}`]
  const found = await Promise.all(selectors.map((selector) => prometheus.series(selector)))
  return selectors.filter((_, index) => found[index]?.length === 0).map((selector) => `${name}: no series: ${selector}`)
}

const parts = ['Symptom', 'What users feel', 'Check', 'Fix', 'Message to the carrier']

/** Each alert has a section with all parts, and each section its alert. */
export function runbookFaults(alerts: readonly Rule[], page: string): readonly string[] {
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((text) => [text.split('\n', 1)[0] ?? '', text]),
  )
  const names = new Set(alerts.map(({ name }) => name))
  const incomplete = alerts.flatMap(({ name, annotations, labels }) => {
    const section = sections.get(name)
    const missing = parts.filter((part) => !section?.includes(`- **${part}:** `))
    return [
      ...(section === undefined ? [`${name}: no runbook`] : missing.map((part) => `${name}: no part ${part}`)),
      ...(annotations?.['runbook_url'] === `docs/operations/alerts.md#${name.toLowerCase()}`
        ? []
        : [`${name}: runbook_url does not lead to its section`]),
      ...(annotations?.['summary'] ? [] : [`${name}: no summary`]),
      ...(/^(critical|warning)$/.test(labels?.['severity'] ?? '') ? [] : [`${name}: no severity`]),
    ]
  })
  const stale = [...sections.keys()].filter((name) => !names.has(name)).map((name) => `${name}: no such alert`)
  return [...incomplete, ...stale]
}

/** Every `ringproof …` of the page is a command with these options. */
export async function commandFaults(page: string): Promise<readonly string[]> {
  const { run } = createCli({})
  const spans = new Set([...page.matchAll(/`ringproof ([^`]+)`/g)].map(([, text = '']) => text))
  const faults: string[] = []
  for (const text of spans) {
    const words = text.split(/\s+/)
    const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
    const command = end < 0 ? words : words.slice(0, end)
    const { out } = await run(...command, '--help')
    const options = words.filter((word) => word.startsWith('--'))
    const isKnown = new RegExp(`^Usage: ringproof ${command.join(' ')}( [\\[<]|$)`, 'm').test(out)
    if (!isKnown || options.some((option) => !out.includes(`  ${option} `))) faults.push(`no such command: ${text}`)
  }
  return faults
}
