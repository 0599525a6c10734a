// Every method in one list: how its fields become a command, and which action executes it.

import type { Language } from '@ringproof/contract/lists/people.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { CheckCommand } from '../actions/numbers/check-phone.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { KeyScope } from '../domain/accounts/api-key.ts'
import type { InboundCommand, StartCommand } from '../domain/verifications/call-request.ts'
import { Refusal } from '../process/errors.ts'
import { checkPhoneCommand, inboundCallWaitingCommand, initCallCommand, uidCommand } from './commands.ts'
import type { Fields } from './request-fields.ts'

// The actions behind the methods, with their dependencies bound in roles/api.ts.
export type MethodActions = {
  readonly initCall: (apiClient: ApiClient, command: StartCommand) => Promise<ApiResponse<'initCall'>>
  readonly initRepeat: (apiClient: ApiClient, uid: number) => Promise<ApiResponse<'initRepeat'>>
  readonly getInfo: (apiClient: ApiClient, uid: number) => Promise<ApiResponse<'getInfo'>>
  readonly checkPhone: (apiClient: ApiClient, command: CheckCommand) => Promise<ApiResponse<'checkPhone'>>
  readonly inboundCallWaiting: (
    apiClient: ApiClient,
    command: InboundCommand,
  ) => Promise<ApiResponse<'inboundCallWaiting'>>
  readonly getAccount: (apiClient: ApiClient) => Promise<ApiResponse<'getAccount'>>
  readonly getService: (apiClient: ApiClient) => Promise<ApiResponse<'getService'>>
  readonly getBalance: (apiClient: ApiClient) => Promise<ApiResponse<'getBalance'>>
}

export type Route = {
  readonly method: Method
  // The scope a key needs. Everything that spends money is `start`, including checkPhone.
  readonly scope: KeyScope
  readonly serve: (
    actions: MethodActions,
    apiClient: ApiClient,
    fields: Fields,
    language: Language,
  ) => Promise<Record<string, unknown>>
}

export const routes: readonly Route[] = [
  {
    method: 'initCall',
    scope: 'start',
    serve: async (actions, apiClient, fields) => actions.initCall(apiClient, initCallCommand(fields)),
  },
  {
    method: 'getInfo',
    scope: 'read',
    serve: async (actions, apiClient, fields) =>
      actions.getInfo(apiClient, uidCommand('getInfo', fields, apiClient.idAlias).uid),
  },
  {
    method: 'initRepeat',
    scope: 'start',
    serve: async (actions, apiClient, fields) => {
      // Before its parameters: a service without repeats has no such method.
      if (!apiClient.repeats) throw new Refusal('repeatNotSupported')
      return actions.initRepeat(apiClient, uidCommand('initRepeat', fields, apiClient.idAlias).uid)
    },
  },
  {
    method: 'inboundCallWaiting',
    scope: 'start',
    serve: async (actions, apiClient, fields) =>
      actions.inboundCallWaiting(apiClient, inboundCallWaitingCommand(fields)),
  },
  {
    method: 'checkPhone',
    scope: 'start',
    serve: async (actions, apiClient, fields, language) =>
      actions.checkPhone(apiClient, { ...checkPhoneCommand(fields), language }),
  },
  { method: 'getAccount', scope: 'read', serve: (actions, apiClient) => actions.getAccount(apiClient) },
  { method: 'getService', scope: 'read', serve: (actions, apiClient) => actions.getService(apiClient) },
  { method: 'getBalance', scope: 'read', serve: (actions, apiClient) => actions.getBalance(apiClient) },
]
