import { Denial } from '../../errors.ts'
import { accountHandlers } from './account.ts'
import type { WebDeps } from './deps.ts'
import type { Handlers } from './handlers.ts'
import { passkeyHandlers } from './passkeys.ts'
import { personHandlers } from './person.ts'
import { phoneHandlers } from './phones.ts'
import { serviceHandlers } from './services.ts'
import { signingInHandlers } from './signing-in.ts'

export function allHandlers(deps: WebDeps): Handlers {
  return {
    ...signingInHandlers(deps),
    ...personHandlers(deps),
    ...passkeyHandlers(deps),
    ...accountHandlers(deps),
    ...serviceHandlers(deps),
    ...phoneHandlers(deps),
    ...later,
  }
}

const notYet = async (): Promise<never> => {
  throw new Denial('unavailable')
}

const later = {
  'send-telegram-code': notYet,
  'start-telegram': notYet,
  'remove-telegram': notYet,
  'call-own-phone': notYet,
  'confirm-own-phone': notYet,
}
