import { type DatabaseHead, listAuditLog, verifyAuditLog } from '../../actions/installation/audit-log.ts'
import type { ChainFault } from '../../domain/installation/action-chain.ts'
import { auditColumns, auditFilter } from '../../domain/installation/audit-filter.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseAccountId } from '../core/context.ts'
import { parseLimit } from '../core/list-page.ts'
import { listResult, withHeads } from '../core/table.ts'

export function addAuditCommands(program: CliCommand): void {
  const audit = program.command('audit').description('List the audit log and check that nobody changed it.')
  const list = audit
    .command('list')
    .description('List what operators and people of accounts did, newest first, over all databases.')
    .option('--account <account>', 'only this account ID')
    .option('--action <text>', 'only actions whose name contains this text')
    .option('--who <name>', 'only this e-mail, or this user of the machine')
    .option('--limit <n>', 'rows at most, 1 to 10000', '50')
    .option('--before <microseconds>', 'only entries older than this: the next page')
  list.workList(listEntries)
  audit
    .command('verify')
    .description(
      'Compute the chain of hashes again. Finds entries that were changed or removed. A cut end is found with a head from the log of a keeper ("audit log head").',
    )
    .option('--head <head...>', 'database:sequence:hash, as in the log')
    .work(verify)
}

type ListOptions = { account?: string; action?: string; who?: string; limit: string; before?: string }

async function listEntries(open: DatabaseContext, options: ListOptions): Promise<CommandResult> {
  if (options.before !== undefined && !/^\d{1,16}$/.test(options.before)) {
    throw new UsageError(`--before takes microseconds since 1970, not "${options.before}".`)
  }
  if (options.account !== undefined) parseAccountId(options.account)
  const { entries, nextBefore } = await listAuditLog(open, auditFilter(options), parseLimit(options.limit))
  const { json, csv, text } = listResult(columns, entries, 'No entry found.')
  return {
    json: { entries: json, next_before: nextBefore === undefined ? null : String(nextBefore) },
    csv,
    text,
    note: nextBefore === undefined ? undefined : `The next page: --before ${nextBefore}`,
  }
}

const columns = withHeads(auditColumns, {
  time: 'TIME',
  account_id: 'ACCOUNT',
  action: 'ACTION',
  who: 'WHO',
  address: 'ADDRESS',
  details: 'DETAILS',
})

async function verify(open: DatabaseContext, options: { head?: readonly string[] }): Promise<CommandResult> {
  const chains = await verifyAuditLog(open, (options.head ?? []).map(parseHead))
  const lines = chains.flatMap(({ database, faults, unchained }) => [
    ...faults.map((fault) => `database ${database}: ${sentenceOf(fault)}`),
    ...(unchained === 0 ? [] : [`database ${database}: ${unchained} entries older than ten minutes are not chained`]),
  ])
  if (lines.length > 0)
    throw new UsageError(`The audit log was changed, or its keeper does not run:\n  ${lines.join('\n  ')}`)
  return {
    json: { databases: chains.map(({ database, entries, head }) => ({ database, entries, head })) },
    text: chains
      .map(
        ({ database, entries, head }) =>
          `Database ${database}: ${entries} entries are whole. Head: ${database}:${head}`,
      )
      .join('\n'),
  }
}

function sentenceOf({ kind, sequence, entryId }: ChainFault): string {
  switch (kind) {
    case 'removed':
      return `entry ${entryId} was removed`
    case 'changed':
      return `entry ${entryId}, or its hash, was changed`
    case 'gap':
      return `the chain has no link ${sequence}`
    case 'rewritten':
      return `the chain was written anew: link ${sequence} has another hash than the log of the keeper`
    case 'cut':
      return `the end was cut off: the log of the keeper knows link ${sequence}`
  }
}

function parseHead(text: string): DatabaseHead {
  const [, database, sequence, hash] = /^(\d{1,3}):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (hash === undefined) throw new UsageError(`--head takes database:sequence:hash, not "${text}".`)
  return { database: Number(database), sequence: Number(sequence), hash }
}
