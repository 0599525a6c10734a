// Every method, in one list: how its fields become a command, and who carries it out.

import type { Answer } from '@ringproof/contract/answers.ts'
import type { Language } from '@ringproof/contract/errors.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import type { CheckCommand } from '../actions/check-phone.ts'
import type { KeyScope } from '../domain/api-key.ts'
import type { Caller } from '../domain/caller.ts'
import type { StartCommand } from '../domain/start-command.ts'
import type { WaitCommand } from '../domain/wait-command.ts'
import { Refusal } from '../errors.ts'
import { checkPhoneCommand, getInfoCommand, inboundCallWaitingCommand, initCallCommand } from './commands.ts'
import type { Fields } from './request-fields.ts'

// What the methods do, bound to the record where the program is put together.
export type MethodActions = {
  readonly initCall: (caller: Caller, command: StartCommand) => Promise<Answer<'initCall'>>
  readonly getInfo: (caller: Caller, uid: number) => Promise<Answer<'getInfo'>>
  readonly checkPhone: (caller: Caller, command: CheckCommand) => Promise<Answer<'checkPhone'>>
  readonly inboundCallWaiting: (caller: Caller, command: WaitCommand) => Promise<Answer<'inboundCallWaiting'>>
  readonly getAccount: (caller: Caller) => Promise<Answer<'getAccount'>>
  readonly getService: (caller: Caller) => Promise<Answer<'getService'>>
  readonly getBalance: (caller: Caller) => Promise<Answer<'getBalance'>>
}

export type Route = {
  readonly method: Method
  // What a key must be allowed to do. Everything that spends money is `start`, checkPhone too.
  readonly scope: KeyScope
  readonly serve: (
    actions: MethodActions,
    caller: Caller,
    fields: Fields,
    language: Language,
  ) => Promise<Record<string, unknown>>
}

export const routes: readonly Route[] = [
  {
    method: 'initCall',
    scope: 'start',
    serve: async (actions, caller, fields) => actions.initCall(caller, initCallCommand(fields)),
  },
  {
    method: 'getInfo',
    scope: 'read',
    serve: async (actions, caller, fields) => actions.getInfo(caller, getInfoCommand(fields, caller.idAlias).uid),
  },
  {
    method: 'initRepeat',
    scope: 'start',
    serve: async () => {
      throw new Refusal('repeatNotSupported')
    },
  },
  {
    method: 'inboundCallWaiting',
    scope: 'start',
    serve: async (actions, caller, fields) => actions.inboundCallWaiting(caller, inboundCallWaitingCommand(fields)),
  },
  {
    method: 'checkPhone',
    scope: 'start',
    serve: async (actions, caller, fields, language) =>
      actions.checkPhone(caller, { ...checkPhoneCommand(fields), language }),
  },
  { method: 'getAccount', scope: 'read', serve: (actions, caller) => actions.getAccount(caller) },
  { method: 'getService', scope: 'read', serve: (actions, caller) => actions.getService(caller) },
  { method: 'getBalance', scope: 'read', serve: (actions, caller) => actions.getBalance(caller) },
]
