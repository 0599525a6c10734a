import type { LiveTopic, WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { TestNotices } from '../../../actions/notices/notices.ts'
import type { NumberCheckDeps } from '../../../actions/numbers/check-numbers.ts'
import type { RequestRegistryFetch } from '../../../actions/numbers/registries.ts'
import type { DispatchTrunkTest } from '../../../actions/trunks/trunk-tests.ts'
import type { SendWebhook } from '../../../actions/webhooks/webhooks.ts'
import type { Actor } from '../../../db/core/action-log.ts'
import type { NewServiceCaps } from '../../../domain/accounts/service.ts'
import type { AccountId } from '../../../domain/core/slot.ts'
import type { KeyRing } from '../../../domain/crypto/sealing.ts'
import type { Finding } from '../../../domain/installation/finding.ts'
import type { NumberingIndex } from '../../../domain/numbers/numbering-index.ts'
import type { NumberingStatus, VersionDiff } from '../../../domain/numbers/numbering-report.ts'
import type { PhoneNumber } from '../../../domain/numbers/phone-number.ts'
import type { Letters } from '../../../domain/people/letters.ts'
import type { Passwords } from '../../../domain/people/password.ts'
import type { CommandPhone } from '../../../domain/phones/virtual-phone.ts'
import type { PlanKeys } from '../../../domain/verifications/plan-call.ts'

// What the handlers pass on to actions.
export type WebDeps = NumberCheckDeps & {
  readonly recordKeys: KeyRing
  readonly keys: PlanKeys
  readonly numbers: () => NumberingIndex
  readonly timeScale: number
  // Of one address, unless the operator has raised it for a service.
  readonly requestsPerSecond: number
  // Calls an hour to one prefix over all services.
  readonly prefixHourMax: number | undefined
  // Seconds to wait, or undefined if the account may test its settings now.
  readonly limitTests: (accountId: AccountId) => number | undefined
  readonly noteChange: (accountId: AccountId, ...topics: readonly LiveTopic[]) => void
  readonly commandPhone: CommandPhone
  readonly dispatchTrunkTest: DispatchTrunkTest
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly nowSeconds: () => number
  readonly pause: (ms: number) => Promise<void>
  readonly passwords: Passwords
  readonly letters: Letters
  readonly testNotices: TestNotices
  readonly newServiceCaps: NewServiceCaps
  readonly currency: string
  // Seconds to wait, or undefined if so many numbers may be checked now.
  readonly limitLookups: (address: string, count: number) => number | undefined
  readonly webhookAllow: readonly string[]
  readonly sendWebhook: SendWebhook
  // Undefined without RINGPROOF_OWN_SERVICE.
  readonly ringOwnPhone: ((phone: PhoneNumber) => Promise<string | undefined>) | undefined
  readonly runHere: (actor: Actor, input: WebInput<'run-here'>) => Promise<WebOutput<'run-here'>>
  // Undefined without a bot.
  readonly telegram:
    | {
        readonly send: (telegramId: number, text: string) => Promise<void>
        readonly botName: () => string | undefined
      }
    | undefined
  // What `ringproof doctor` finds; it may be of so long ago.
  readonly examine: (maxAgeMs?: number) => Promise<{ readonly atMs: number; readonly findings: readonly Finding[] }>
  // Undefined if this process has no directory of numbering data.
  readonly numberingFiles:
    | {
        readonly status: () => Promise<NumberingStatus>
        readonly diff: () => Promise<VersionDiff | undefined>
        // Every process then loads the other version.
        readonly rollBack: () => Promise<string>
      }
    | undefined
  readonly registryFetch: {
    readonly isOn: boolean
    readonly everyHours: number
    readonly request: RequestRegistryFetch
  }
  // As `ringproof config print` shows them.
  readonly settings: () => ReadonlyMap<string, string>
  readonly about: {
    readonly publicUrl: string
    readonly version: string
    readonly currency: string
    readonly isDemo: boolean
    readonly hasTelegram: boolean
  }
}
