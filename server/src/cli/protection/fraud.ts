import { fraudRules } from '@ringproof/contract/lists/protection.ts'
import { listFraudHits } from '../../actions/protection/fraud-rules.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseServiceId } from '../core/context.ts'
import { table } from '../core/table.ts'
import { parseDuration } from '../core/time-range.ts'
import { addFraudLimitCommands } from './fraud-limits.ts'

export function addFraudCommands(program: CliCommand): void {
  const fraud = program.command('fraud').description('Show and set the fraud rules, and what they block.')
  fraud
    .command('hits')
    .description('List blocked requests by minute, rule, service and prefix, newest first.')
    .option('--since <duration>', 'time range, such as 30m, 24h or 7d', '24h')
    .option('--rule <rule>', `show only this rule: ${fraudRules.join(', ')}`)
    .option('--service <service>', 'show only this service ID')
    .work(hits)
  addFraudLimitCommands(fraud)
}

async function hits(
  open: DatabaseContext,
  options: { since: string; rule?: string; service?: string },
): Promise<CommandResult> {
  const rule = fraudRules.find((known) => known === options.rule)
  if (options.rule !== undefined && rule === undefined) {
    throw new UsageError(`--rule takes one of ${fraudRules.join(', ')}, not "${options.rule}".`)
  }
  const serviceId = options.service === undefined ? undefined : parseServiceId(options.service)
  const found = await listFraudHits(open, { sinceSeconds: parseDuration('--since', options.since), rule, serviceId })
  return {
    json: found.map(({ minute, prefix, ...hit }) => ({
      minute: minute.toISOString(),
      rule: hit.rule,
      service_id: hit.serviceId,
      prefix: prefix === undefined ? null : `${prefix}****`,
      hits: hit.hits,
    })),
    text:
      found.length === 0
        ? `No requests were blocked in the last ${options.since}.`
        : table(
            ['MINUTE', 'RULE', 'SERVICE', 'PREFIX', 'HITS'],
            found.map(({ minute, rule: by, serviceId: service, prefix, hits: count }) => [
              minute.toISOString().slice(0, 16),
              by,
              String(service),
              prefix === undefined ? 'others' : `${prefix}****`,
              String(count),
            ]),
          ),
  }
}
