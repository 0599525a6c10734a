import type { AccountId, ServiceId } from '../../server/src/domain/core/slot.ts'
import type { CustomerName } from './cast.ts'

// The accounts of the customers in a database, and the keys of their services.
export type InstalledCustomers = Readonly<
  Record<CustomerName, { readonly accountId: AccountId; readonly serviceId: ServiceId; readonly key: string }>
>
