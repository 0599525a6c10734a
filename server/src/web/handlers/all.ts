import { accountHandlers } from './account.ts'
import { announcementHandlers } from './announcements.ts'
import { auditHandlers } from './audit.ts'
import { balanceHandlers } from './balance.ts'
import { callerNumberHandlers } from './caller-numbers.ts'
import { callHandlers } from './calls.ts'
import { customerHandlers } from './customers.ts'
import { deliverabilityHandlers } from './deliverability.ts'
import { deliveryHandlers } from './deliveries.ts'
import type { WebDeps } from './deps.ts'
import type { Handlers } from './handlers.ts'
import { inboundHandlers } from './inbound.ts'
import { logHandlers } from './log.ts'
import { messageHandlers } from './messages.ts'
import { noticeHandlers } from './notices.ts'
import { numberHandlers } from './numbers.ts'
import { passkeyHandlers } from './passkeys.ts'
import { paymentHandlers } from './payments.ts'
import { personHandlers } from './person.ts'
import { phoneHandlers } from './phones.ts'
import { protectionHandlers } from './protection.ts'
import { registryHandlers } from './registries.ts'
import { routingHandlers } from './routing.ts'
import { serviceHandlers } from './services.ts'
import { settingHandlers } from './settings.ts'
import { signingInHandlers } from './signing-in.ts'
import { statisticsHandlers } from './statistics.ts'
import { switchOverHandlers } from './switch-overs.ts'
import { systemHandlers } from './system.ts'
import { tariffHandlers } from './tariffs.ts'
import { telegramHandlers } from './telegram.ts'
import { trunkHandlers } from './trunks.ts'
import { verificationHandlers } from './verifications.ts'
import { wallboardHandlers } from './wallboard.ts'
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
    ...callHandlers(deps),
    ...auditHandlers(deps),
    ...deliverabilityHandlers(deps),
    ...webhookHandlers(deps),
    ...logHandlers(deps),
    ...trunkHandlers(deps),
    ...callerNumberHandlers(deps),
    ...routingHandlers(deps),
    ...switchOverHandlers(deps),
    ...wallboardHandlers(deps),
    ...inboundHandlers(deps),
    ...deliveryHandlers(deps),
    ...customerHandlers(deps),
    ...protectionHandlers(deps),
    ...tariffHandlers(deps),
    ...announcementHandlers(deps),
    ...systemHandlers(deps),
    ...registryHandlers(deps),
  }
}
