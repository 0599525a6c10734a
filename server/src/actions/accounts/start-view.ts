import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listApiKeys } from '../../db/accounts/api-key.ts'
import { listServices } from '../../db/accounts/service.ts'
import { insertStartStep, readDoneSince, readStartSteps, type StartStep } from '../../db/accounts/start-step.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { dashboardKeyName } from '../../domain/accounts/api-key.ts'
import { type AccountId, firstIdOfSecond, slotOfAccount, type VerificationId } from '../../domain/core/slot.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
}

// A step that was taken while nobody looked is found if it is not older than this; the page looks every time something happens.
const lookBackSeconds = 900

// The checklist of the first five minutes. A step that was taken stays taken.
export async function showStart(
  { slots, nowSeconds }: Deps,
  accountId: AccountId,
  signedUpAt: Date,
): Promise<WebOutput<'start'>> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  const services = (await listServices(database, accountId)).filter(({ settings }) => settings.state !== 'archived')
  const [service] = services
  const steps = new Map(await readStartSteps(database, accountId))
  const take = async (step: StartStep) => {
    await insertStartStep(database, accountId, step)
    steps.set(step, new Date(nowSeconds() * 1_000))
  }
  if (service && !steps.has('key')) {
    const keys = await listApiKeys(database, service.id)
    if (keys.some(({ lastUsedAt, name }) => lastUsedAt !== null && name !== dashboardKeyName)) await take('key')
  }
  const open = (['testCall', 'realCall', 'webhook'] as const).filter((step) => !steps.has(step))
  if (open.length > 0 && services.length > 0) {
    const ids = services.map(({ id }) => id)
    const firstId = firstIdOfSecond(nowSeconds() - lookBackSeconds) as VerificationId
    const done = await readDoneSince(database, accountId, ids, firstId)
    for (const step of open) if (done[step]) await take(step)
  }
  const step = (name: StartStep) => ({ doneAt: steps.get(name)?.getTime() ?? null })
  return {
    signedUpAt: signedUpAt.getTime(),
    steps: {
      service: { doneAt: service?.createdAt.getTime() ?? null },
      key: step('key'),
      testCall: step('testCall'),
      realCall: step('realCall'),
      webhook: step('webhook'),
    },
    service: service ? { id: service.id, name: String(service.settings.name) } : null,
  }
}
