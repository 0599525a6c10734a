import { showStatistics } from '../../actions/verifications/verifications.ts'
import { type CallStatistics, type StatisticsKey, statisticsKeys } from '../../domain/verifications/call-statistics.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliCommand,
  type CommandResult,
  type DatabaseContext,
  parseAccountId,
  parseServiceId,
} from '../core/context.ts'
import { type Column, listResult } from '../core/table.ts'
import { parseIdRange, type TimeOptions, withTimeRange } from '../core/time-range.ts'

export function addStatsCommand(program: CliCommand): void {
  const stats = program
    .command('stats')
    .description(
      'Show statistics of outgoing calls: ring-through and post-dial delay (PDD). A call that failed over counts for its last trunk; ringproof_calls_total counts every attempt.',
    )
    .option('--by <keys>', `group by one or more of ${statisticsKeys.join(', ')}, comma-separated`, 'trunk')
    .option('--account <account>', 'only this account ID')
    .option('--service <service>', 'only this service ID')
  withTimeRange(stats, '24h').workList(show)
}

type StatsOptions = TimeOptions & { by: string; account?: string; service?: string }

async function show(open: DatabaseContext, options: StatsOptions): Promise<CommandResult> {
  const by = parseKeys(options.by)
  const statistics = await showStatistics(open, by, {
    ...parseIdRange(options, '24h'),
    accountId: options.account === undefined ? undefined : parseAccountId(options.account),
    serviceId: options.service === undefined ? undefined : parseServiceId(options.service),
  })
  const keys = by.map(
    (key): Column<CallStatistics> => ({ name: key, head: key.toUpperCase(), value: ({ group }) => group[key] ?? null }),
  )
  return listResult([...keys, ...columns], statistics, `No call ended since ${options.since ?? '24h'}.`)
}

function parseKeys(text: string): readonly StatisticsKey[] {
  const keys = text.split(',').map((word) => {
    const known = statisticsKeys.find((key) => key === word.trim())
    if (!known) throw new UsageError(`--by takes ${statisticsKeys.join(', ')}, comma-separated, not "${text}".`)
    return known
  })
  return [...new Set(keys)]
}

const columns: readonly Column<CallStatistics>[] = [
  { name: 'dialled', head: 'DIALLED', value: ({ dialled }) => dialled },
  { name: 'rang', head: 'RANG', value: ({ rang }) => rang },
  {
    name: 'ring_through',
    head: 'RING-THROUGH',
    value: ({ ringThrough }) => (ringThrough === undefined ? null : Math.round(ringThrough * 10_000) / 10_000),
    text: ({ ringThrough }) => (ringThrough === undefined ? '' : `${(ringThrough * 100).toFixed(1)}%`),
  },
  { name: 'succeeded', head: 'SUCCEEDED', value: ({ succeeded }) => succeeded },
  { name: 'pdd_p50_ms', head: 'PDD P50 MS', value: ({ postDialP50Ms }) => postDialP50Ms ?? null },
  { name: 'pdd_p95_ms', head: 'PDD P95 MS', value: ({ postDialP95Ms }) => postDialP95Ms ?? null },
  { name: 'not_dialled', head: 'NOT DIALLED', value: ({ notDialled }) => notDialled },
]
