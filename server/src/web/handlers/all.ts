import { accountHandlers } from './account.ts'
import type { WebDeps } from './deps.ts'
import type { Handlers } from './handlers.ts'
import { passkeyHandlers } from './passkeys.ts'
import { personHandlers } from './person.ts'
import { phoneHandlers } from './phones.ts'
import { serviceHandlers } from './services.ts'
import { signingInHandlers } from './signing-in.ts'
import { telegramHandlers } from './telegram.ts'

export function allHandlers(deps: WebDeps): Handlers {
  return {
    ...signingInHandlers(deps),
    ...personHandlers(deps),
    ...passkeyHandlers(deps),
    ...telegramHandlers(deps),
    ...accountHandlers(deps),
    ...serviceHandlers(deps),
    ...phoneHandlers(deps),
  }
}
