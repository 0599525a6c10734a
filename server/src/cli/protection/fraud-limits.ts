// Commands of `ringproof fraud` that show and change protection, and try a limit on past calls first.

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
    .command('show')
    .description('Show the rules with their limits and hits, and what is blocked or let through, newest first.')
    .work(show)
  fraud
    .command('set')
    .description('Set the limit of a rule over ranges of numbers, or of all of them by a level.')
    .option('--level <level>', `limits of all rules: ${protectionLevels.join(', ')}`)
    .option('--rule <rule>', `one rule: ${limitedRules.join(', ')}`)
    .option('--limit <calls>', 'its limit in calls, or off')
    .option('--dry-run', 'change nothing: show which past calls it would have blocked')
    .option('--days <number>', `with --dry-run: days to look back, 1 to ${replayDaysMax}; default: 7`)
    .work(set)
  fraud
    .command('allow')
    .description('Let calls to a blocked range or country through, for an hour or for good.')
    .argument('<scope>', 'as `ringproof fraud show` shows it')
    .option('--reason <text>', 'why, for the log: at most 200 characters; required without --end')
    .option('--for-good', 'until it is ended, not for an hour')
    .option('--end', 'the rules decide again')
    .work(allow)
}

async function show(open: DatabaseContext): Promise<CommandResult> {
  const { prefixHourMax, timeScale } = open.readConfig()
  const shown = await showProtection({ ...open, prefixHourMax, timeScale })
  const [rules, scopes] = [rulesOf(shown), scopesOf(shown)]
  return { json: { ...rules.json, ...scopes.json }, text: `${rules.text}\n\n${scopes.text}` }
}

type Shown = Awaited<ReturnType<typeof showProtection>>
type Part = { readonly json: Record<string, unknown>; readonly text: string }

function rulesOf(shown: Shown): Part {
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

async function set(
  open: DatabaseContext,
  { dryRun, days, ...options }: LimitOptions & { dryRun?: true; days?: string },
): Promise<CommandResult> {
  if (dryRun) return replay(open, options, days ?? '7')
  if (days !== undefined) throw new UsageError('--days is for --dry-run.')
  const { prefixHourMax } = open.readConfig()
  const limits = await setFraudLimits({ ...open, prefixHourMax }, open.actor, parseLimits(options))
  return { json: limits, text: `Limits: ${limitsText(limits)}.` }
}

async function replay(open: DatabaseContext, options: LimitOptions, daysText: string): Promise<CommandResult> {
  const days = Number(daysText)
  if (!Number.isInteger(days) || days < 1 || days > replayDaysMax)
    throw new UsageError(`--days takes a whole number from 1 to ${replayDaysMax}, not "${daysText}".`)
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

function scopesOf(shown: Shown): Part {
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

type AllowOptions = { readonly reason?: string; readonly forGood?: true; readonly end?: true }

async function allow(open: DatabaseContext, scope: string, options: AllowOptions): Promise<CommandResult> {
  const { reason, forGood: isForGood = false, end: isEnd = false } = options
  if (isEnd) {
    if (isForGood) throw new UsageError('Give either --for-good or --end.')
    return disallow(open, scope)
  }
  if (reason === undefined) throw new UsageError('--reason is missing: why calls are let through.')
  const until = await unblockPrefix(open, open.actor, { scope, reason, isForGood })
  const end = until?.toISOString() ?? null
  return {
    json: { scope, until: end },
    text: `Calls to ${scope} are let through ${end === null ? 'for good' : `until ${end.slice(0, 16)} UTC`}.`,
  }
}

async function disallow(open: DatabaseContext, scope: string): Promise<CommandResult> {
  const wasAllowed = await endPrefixAllowance(open, open.actor, { scope })
  if (!wasAllowed) throw new UsageError(`${scope} is not let through. See: ringproof fraud show`)
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
