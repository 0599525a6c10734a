import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { requestResults } from '@ringproof/contract/lists/requests.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type ApiRequestFilter, type ApiRequestRow, readApiRequests } from '../../db/requests/api-request.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { isOurFault } from '../../domain/requests/refusal-kind.ts'

type Deps = { readonly slots: SlotMap }

export type ApiRequestQuery = {
  // Undefined: both.
  readonly isTest: boolean | undefined
  readonly serviceId: ServiceId | undefined
  readonly method: string | undefined
  readonly result: (typeof requestResults)[number] | undefined
  readonly code: number | undefined
  readonly since: Date
  readonly until: Date | undefined
  readonly before: ApiRequestFilter['before']
}

type Page = {
  readonly requests: readonly ApiRequestRow[]
  // There may be more before this one.
  readonly nextBefore: ApiRequestFilter['before']
}

// Of one account, newest first.
export async function listApiRequests(
  { slots }: Deps,
  accountId: AccountId,
  query: ApiRequestQuery,
  limit: number,
): Promise<Page> {
  const { result, code, ...rest } = query
  const filter = { ...rest, isServed: servedOf(query), refusals: refusalsOf(result, code) }
  const database = slots.databaseOf(slotOfAccount(accountId))
  // One more than asked for shows whether there are more.
  const rows = await readApiRequests(database, accountId, filter, limit + 1)
  const requests = rows.slice(0, limit)
  const last = requests.at(-1)
  return { requests, nextBefore: rows.length > limit && last ? { at: last.at, id: last.id } : undefined }
}

function servedOf({ result, code }: ApiRequestQuery): boolean | undefined {
  if (code !== undefined) return false
  return result === undefined ? undefined : result === 'ok'
}

function refusalsOf(result: ApiRequestQuery['result'], code: number | undefined): readonly RefusalName[] | undefined {
  if (code === undefined && (result === undefined || result === 'ok')) return undefined
  const names = Object.keys(refusals) as RefusalName[]
  return names.filter(
    (name) =>
      (code === undefined || refusals[name].code === code) &&
      (result === undefined || result === 'ok' || isOurFault(name) === (result === 'ours')),
  )
}
