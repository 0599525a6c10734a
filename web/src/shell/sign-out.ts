import { call } from '../api.ts'
import { stopLive } from '../live.ts'
import { queryClient } from '../queries.ts'

// Nothing of the account stays in memory.
export async function signOut(): Promise<void> {
  await call('sign-out', {})
  stopLive()
  queryClient.clear()
  location.assign('/dashboard/sign-in')
}
