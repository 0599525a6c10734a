// Commands of `ringproof fraud` that show and change protection, and try a limit on past calls.

import { limitedRules, protectionLevels } from '@ringproof/contract/lists/protection.ts'
import {
  type ReplayedRules,
  replayDaysMax,
  replayFraudRules,
  setFraudLimits,
} from '../../actions/protection/fraud-rules.ts'
import { endPrefixAllowance, unblockPrefix } from '../../actions/protection/prefixes.ts'
import { type BlockedPrefix, showProtection } from '../../actions/protection/show-protection.ts'
import {
  type FraudLimits,
  type LimitedRule,
  limitsOfLevel,
  type StoredLimits,
} from '../../domain/protection/fraud-limits.ts'
import type { Candidate } from '../../domain/protection/replay-rule.ts'
import { wallMs } from '../../process/clock.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { table } from '../core/table.ts'

type LimitOptions = { readonly level?: string; readonly rule?: string; readonly limit?: string }

export function addFraudLimitCommands(fraud: CliCommand): void {
  fraud
    .command('rules')
    .description('Show the rules with their limits and how often they refused a request.')
    .work(rules)
  withLimits(fraud.command('set'))
    .description('Set the limit of a rule over ranges of numbers, or of all of them by a level.')
    .work(set)
  withLimits(fraud.command('replay'))
    .description('Show which past calls a limit or a level would have blocked. Nothing is changed.')
    .option('--days <number>', `days to look back, 1 to ${replayDaysMax}`, '7')
    .work(replay)
  fraud.command('blocked').description('List blocked ranges of numbers and countries, newest first.').work(blocked)
  for (const [verb, description, isForGood] of [
    ['unblock', 'Let calls to a blocked range or country through for an hour.', false],
    ['allow', 'Let calls to a range or country through for good.', true],
  ] as const) {
    fraud
      .command(verb)
      .description(description)
      .argument('<scope>', 'as `ringproof fraud blocked` shows it')
      .requiredOption('--reason <text>', 'why, for the log: at most 200 characters')
      .work((open, scope: string, { reason }: { reason: string }) => unblock(open, { scope, reason, isForGood }))
  }
  fraud
    .command('disallow')
    .description('Apply the rules again to a range or country that is let through.')
    .argument('<scope>', 'as `ringproof fraud blocked` showed it')
    .work(disallow)
}

function withLimits(command: CliCommand): CliCommand {
  return command
    .option('--level <level>', `limits of all rules: ${protectionLevels.join(', ')}`)
    .option('--rule <rule>', `one rule: ${limitedRules.join(', ')}`)
    .option('--limit <calls>', 'its limit in calls, or off')
}

async function rules(open: DatabaseContext): Promise<CommandResult> {
  const { prefixHourMax, timeScale } = open.readConfig()
  const shown = await showProtection({ ...open, prefixHourMax, timeScale })
  const limitOf = (rule: string) => {
    const limited = limitedRules.find((known) => known === rule)
    return limited === undefined ? '' : limitText(shown.limits[limited])
  }
  return {
    json: {
      level: shown.level ?? null,
      limits: shown.limits,
      rules: shown.rules.map(({ rule, hitsDay, hitsWeek, lastAt }) => ({
        rule,
        hits_24h: hitsDay,
        hits_7d: hitsWeek,
        last_hit: lastAt?.toISOString() ?? null,
      })),
    },
    text: [
      `Level: ${shown.level ?? (shown.isSet ? 'none, the limits were set one by one' : 'none, the configuration holds')}.`,
      table(
        ['RULE', 'LIMIT', '24 H', '7 D', 'LAST HIT'],
        shown.rules.map(({ rule, hitsDay, hitsWeek, lastAt }) => [
          rule,
          limitOf(rule),
          String(hitsDay),
          String(hitsWeek),
          lastAt?.toISOString().slice(0, 16) ?? '',
        ]),
      ),
    ].join('\n'),
  }
}

async function set(open: DatabaseContext, options: LimitOptions): Promise<CommandResult> {
  const { prefixHourMax } = open.readConfig()
  const limits = await setFraudLimits({ ...open, prefixHourMax }, open.actor, parseLimits(options))
  return { json: limits, text: `Limits: ${limitsText(limits)}.` }
}

async function replay(open: DatabaseContext, options: LimitOptions & { days: string }): Promise<CommandResult> {
  const days = Number(options.days)
  if (!Number.isInteger(days) || days < 1 || days > replayDaysMax)
    throw new UsageError(`--days takes a whole number from 1 to ${replayDaysMax}, not "${options.days}".`)
  const candidates = Object.entries(parseLimits(options)).flatMap(([rule, callsMax]): Candidate[] =>
    callsMax === null ? [] : [{ rule: rule as LimitedRule, callsMax }],
  )
  if (candidates.length === 0) throw new UsageError('A rule that is off blocks nothing. Give --limit a number.')
  const deps = { slots: open.slots, nowSeconds: () => Math.floor(wallMs() / 1_000) }
  const found = await replayFraudRules(deps, { days, candidates })
  return {
    json: {
      from: new Date(found.fromMs).toISOString(),
      until: new Date(found.untilMs).toISOString(),
      whole_period: found.isWhole,
      calls: found.calls,
      succeeded: found.succeeded,
      rules: found.rules.map(({ rule, callsMax, blocked: count, succeeded, services }) => ({
        rule,
        limit: callsMax,
        blocked: count,
        succeeded,
        services,
      })),
    },
    text: replayText(found),
  }
}

function replayText({ fromMs, untilMs, isWhole, calls, rules: replayed }: ReplayedRules): string {
  const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16)
  return [
    `${calls} calls from ${minute(fromMs)} to ${minute(untilMs)} UTC.${isWhole ? '' : ' Older ones were too many to read.'}`,
    ...replayed.map(
      ({ rule, callsMax, blocked: count, succeeded, services }) =>
        `${rule} at ${callsMax}: would have blocked ${count} calls of ${services} services, ${succeeded} of them succeeded.`,
    ),
  ].join('\n')
}

async function blocked(open: DatabaseContext): Promise<CommandResult> {
  const { prefixHourMax, timeScale } = open.readConfig()
  const shown = await showProtection({ ...open, prefixHourMax, timeScale })
  const name = ({ scope, prefix }: Pick<BlockedPrefix, 'scope' | 'prefix'>) =>
    prefix === undefined ? scope : `${prefix}****`
  return {
    json: {
      blocked: shown.blocked.map(({ since, until, serviceId, ownMax, ...one }) => ({
        ...one,
        prefix: one.prefix === undefined ? null : `${one.prefix}****`,
        service_id: serviceId ?? null,
        own_limit: ownMax ?? null,
        since: since.toISOString(),
        until: until?.toISOString() ?? null,
      })),
      allowed: shown.allowed.map(({ scope, prefix, until, reason }) => ({
        scope,
        prefix: prefix === undefined ? null : `${prefix}****`,
        until: until?.toISOString() ?? null,
        reason,
      })),
    },
    text: [
      shown.blocked.length === 0
        ? 'Nothing is blocked.'
        : table(
            ['SCOPE', 'RANGE', 'RULE', 'SERVICE', 'SINCE', 'UNTIL'],
            shown.blocked.map((one) => [
              one.scope,
              name(one),
              one.rule,
              one.serviceId === undefined ? 'all' : String(one.serviceId),
              one.since.toISOString().slice(0, 16),
              one.until?.toISOString().slice(0, 16) ?? 'a few calls are let through',
            ]),
          ),
      ...shown.allowed.map(
        (one) =>
          `Let through ${one.until === null ? 'for good' : `until ${one.until.toISOString().slice(0, 16)}`}: ${one.scope} (${name(one)}), ${one.reason}`,
      ),
    ].join('\n'),
  }
}

async function unblock(
  open: DatabaseContext,
  command: { scope: string; reason: string; isForGood: boolean },
): Promise<CommandResult> {
  const until = await unblockPrefix(open, open.actor, command)
  const end = until?.toISOString() ?? null
  return {
    json: { scope: command.scope, until: end },
    text: `Calls to ${command.scope} are let through ${end === null ? 'for good' : `until ${end.slice(0, 16)} UTC`}.`,
  }
}

async function disallow(open: DatabaseContext, scope: string): Promise<CommandResult> {
  const wasAllowed = await endPrefixAllowance(open, open.actor, { scope })
  if (!wasAllowed) throw new UsageError(`${scope} is not let through. See: ringproof fraud blocked`)
  return { json: { scope }, text: `The rules decide about ${scope} again.` }
}

function parseLimits({ level, rule, limit }: LimitOptions): StoredLimits {
  if (level !== undefined && rule === undefined && limit === undefined) {
    const known = protectionLevels.find((one) => one === level)
    if (known === undefined)
      throw new UsageError(`--level takes one of ${protectionLevels.join(', ')}, not "${level}".`)
    return limitsOfLevel[known]
  }
  if (level !== undefined || rule === undefined || limit === undefined)
    throw new UsageError('Give either --level, or --rule and --limit.')
  const known = limitedRules.find((one) => one === rule)
  if (known === undefined) throw new UsageError(`--rule takes one of ${limitedRules.join(', ')}, not "${rule}".`)
  if (limit !== 'off' && !/^[1-9]\d{0,9}$/.test(limit))
    throw new UsageError(`--limit takes a number of calls or off, not "${limit}".`)
  return { [known]: limit === 'off' ? null : Number(limit) }
}

function limitText(limit: number | null): string {
  return limit === null ? 'off' : String(limit)
}

function limitsText(limits: FraudLimits): string {
  return limitedRules.map((rule) => `${rule} ${limitText(limits[rule])}`).join(', ')
}
