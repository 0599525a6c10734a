import { Refusal } from '../../process/errors.ts'
import type { ApiClient } from './api-client.ts'
import type { KeyScope } from './api-key.ts'
import { isOnList } from './client-address.ts'

type ServedOver = { readonly address: string; readonly isAlternative: boolean; readonly scope: KeyScope }

// Whether the state of the account and the service lets a request pass.
export function checkServiceState(apiClient: ApiClient, { address, isAlternative, scope }: ServedOver): void {
  if (apiClient.accountBlocked) throw new Refusal('accountBlocked')
  if (apiClient.state === 'archived') throw new Refusal('serviceArchived')
  if (apiClient.state === 'off') throw new Refusal('serviceOff')
  if (apiClient.addresses.length > 0 && !isOnList(apiClient.addresses, address)) throw new Refusal('addressNotAllowed')
  if (!apiClient.plainHttp && isAlternative) throw new Refusal('plainHttpRefused')
  if (scope === 'start' && apiClient.mustVerifyPhone) throw new Refusal('phoneNotVerified')
}
