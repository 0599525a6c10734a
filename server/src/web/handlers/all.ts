import { accountHandlers } from './accounts/account.ts'
import { customerHandlers } from './accounts/customers.ts'
import { serviceHandlers } from './accounts/services.ts'
import { settingHandlers } from './accounts/settings.ts'
import type { WebDeps } from './core/deps.ts'
import type { Handlers } from './core/handlers.ts'
import { auditHandlers } from './installation/audit.ts'
import { systemHandlers } from './installation/system.ts'
import { wallboardHandlers } from './installation/wallboard.ts'
import { balanceHandlers } from './money/balance.ts'
import { paymentHandlers } from './money/payments.ts'
import { tariffHandlers } from './money/tariffs.ts'
import { announcementHandlers } from './notices/announcements.ts'
import { noticeHandlers } from './notices/notices.ts'
import { numberHandlers } from './numbers/numbers.ts'
import { registryHandlers } from './numbers/registries.ts'
import { passkeyHandlers } from './people/passkeys.ts'
import { personHandlers } from './people/person.ts'
import { signingInHandlers } from './people/signing-in.ts'
import { telegramHandlers } from './people/telegram.ts'
import { phoneHandlers } from './phones/phones.ts'
import { protectionHandlers } from './protection/protection.ts'
import { logHandlers } from './requests/log.ts'
import { callerNumberHandlers } from './trunks/caller-numbers.ts'
import { deliverabilityHandlers } from './trunks/deliverability.ts'
import { inboundHandlers } from './trunks/inbound.ts'
import { routingHandlers } from './trunks/routing.ts'
import { switchOverHandlers } from './trunks/switch-overs.ts'
import { trunkHandlers } from './trunks/trunks.ts'
import { callHandlers } from './verifications/calls.ts'
import { messageHandlers } from './verifications/messages.ts'
import { statisticsHandlers } from './verifications/statistics.ts'
import { verificationHandlers } from './verifications/verifications.ts'
import { deliveryHandlers } from './webhooks/deliveries.ts'
import { webhookHandlers } from './webhooks/webhooks.ts'

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
