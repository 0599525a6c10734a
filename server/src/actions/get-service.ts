import type { Answer } from '@ringproof/contract/answers.ts'
import { readAccount } from '../db/account.ts'
import { readService } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Caller } from '../domain/caller.ts'
import { slotOfService } from '../domain/slot.ts'
import { unixSeconds } from '../domain/unix-time.ts'

export async function getService(deps: { readonly slots: SlotMap }, caller: Caller): Promise<Answer<'getService'>> {
  const database = deps.slots.databaseOf(slotOfService(caller.serviceId))
  const [service, account] = await Promise.all([
    readService(database, caller.serviceId),
    readAccount(database, caller.accountId),
  ])
  if (!service || !account) throw new Error(`service ${caller.serviceId} of a caller is not in the record`)
  return {
    status: true,
    service_status: service.id,
    name: String(service.settings.name),
    creation_time: unixSeconds(service.createdAt),
    last_request: service.lastRequestAt ? unixSeconds(service.lastRequestAt) : 0,
    owner: account.email,
    use_direction: String(service.settings['use-direction']),
  }
}
