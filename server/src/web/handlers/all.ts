import { accountHandlers } from './account.ts'
import { balanceHandlers } from './balance.ts'
import type { WebDeps } from './deps.ts'
import type { Handlers } from './handlers.ts'
import { logHandlers } from './log.ts'
import { messageHandlers } from './messages.ts'
import { noticeHandlers } from './notices.ts'
import { numberHandlers } from './numbers.ts'
import { passkeyHandlers } from './passkeys.ts'
import { paymentHandlers } from './payments.ts'
import { personHandlers } from './person.ts'
import { phoneHandlers } from './phones.ts'
import { serviceHandlers } from './services.ts'
import { settingHandlers } from './settings.ts'
import { signingInHandlers } from './signing-in.ts'
import { statisticsHandlers } from './statistics.ts'
import { telegramHandlers } from './telegram.ts'
import { verificationHandlers } from './verifications.ts'
import { webhookHandlers } from './webhooks.ts'

export function allHandlers(deps: WebDeps): Handlers {
  return {
    ...signingInHandlers(deps),
    ...personHandlers(deps),
    ...passkeyHandlers(deps),
    ...telegramHandlers(deps),
    ...accountHandlers(deps),
    ...serviceHandlers(deps),
    ...settingHandlers(deps),
    ...phoneHandlers(deps),
    ...verificationHandlers(deps),
    ...statisticsHandlers(deps),
    ...balanceHandlers(deps),
    ...numberHandlers(deps),
    ...noticeHandlers(deps),
    ...paymentHandlers(deps),
    ...messageHandlers(deps),
    ...webhookHandlers(deps),
    ...logHandlers(deps),
  }
}
