import type { Session } from '../db/database.ts'
import { lockService, type Service } from '../db/service.ts'
import type { ServiceId } from '../domain/slot.ts'
import { UsageError } from '../errors.ts'

// Locks the service for the rest of the transaction: what was read of it stays true.
export async function findService(session: Session, id: ServiceId): Promise<Service> {
  const service = await lockService(session, id)
  if (!service) throw new UsageError(`there is no service ${id}`)
  return service
}
