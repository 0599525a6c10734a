import { listApiRequests } from '../../actions/requests/requests-view.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseAccountId } from '../core/context.ts'
import { parseLimit } from '../core/list-page.ts'
import { table } from '../core/table.ts'
import { parseTimeRange, type TimeOptions, withTimeRange } from '../core/time-range.ts'

export function addRequestCommands(program: CliCommand): void {
  const requests = program.command('requests').description('Show requests to the API.')
  const list = requests
    .command('list')
    .description('List the requests of an account, newest first, as its API log keeps them.')
    .requiredOption('--account <account>', 'account ID')
    .option('--method <method>', 'show only this method')
    .option('--code <code>', 'show only requests refused with this code')
    .option('--limit <n>', 'rows at most, 1 to 10000', '50')
  withTimeRange(list, '24h').work(listRequests)
}

type ListOptions = TimeOptions & {
  readonly account: string
  readonly method?: string
  readonly code?: string
  readonly limit: string
}

async function listRequests(open: DatabaseContext, options: ListOptions): Promise<CommandResult> {
  const { since = '24h', until, code } = options
  if (code !== undefined && !/^\d{1,4}$/.test(code)) throw new UsageError(`--code takes an error code, not "${code}".`)
  const { firstSecond, endSecond } = parseTimeRange({ since, until })
  const query = {
    isTest: undefined,
    serviceId: undefined,
    method: options.method,
    result: undefined,
    code: code === undefined ? undefined : Number(code),
    since: new Date(firstSecond * 1_000),
    until: until === undefined ? undefined : new Date(endSecond * 1_000),
    before: undefined,
  }
  const { requests } = await listApiRequests(open, parseAccountId(options.account), query, parseLimit(options.limit))
  return {
    json: requests.map((row) => ({
      at: row.at.toISOString(),
      request_id: row.id,
      service_id: row.serviceId,
      method: row.method,
      http_status: row.httpStatus,
      code: row.code,
      ms: row.ms,
      address: row.address,
      vendor_id: row.verificationId,
    })),
    text:
      requests.length === 0
        ? 'No requests.'
        : table(
            ['TIME', 'REQUEST ID', 'SERVICE', 'METHOD', 'HTTP', 'CODE', 'MS', 'ADDRESS', 'VENDOR_ID'],
            requests.map((row) => [
              row.at.toISOString(),
              row.id,
              String(row.serviceId),
              row.method,
              String(row.httpStatus),
              String(row.code ?? '-'),
              String(row.ms),
              row.address,
              String(row.verificationId ?? '-'),
            ]),
          ),
  }
}
