// The settings of a service.

import { refusals } from '@ringproof/contract/errors.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import { setService } from '../../../actions/accounts/services.ts'
import { previewSettings, showSettings } from '../../../actions/accounts/services-view.ts'
import { type TestedStart, testSettings } from '../../../actions/verifications/try-start.ts'
import { readSettings, type SettingChange } from '../../../domain/accounts/service-changes.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { Denial, refusalSentence } from '../../../process/errors.ts'
import { refuseUnconfirmed } from '../../gate.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, visitorOf } from '../core/handlers.ts'
import { ownService } from './own-service.ts'

type Texts = Readonly<Partial<Record<SettingName, string>>>

// Wider, these let a stolen key spend more.
const guarded: readonly SettingName[] = [
  'geography',
  'addresses',
  'verifications-hour-max',
  'verifications-day-max',
  'spend-day-max',
  'prefix-hour-max',
]

export function settingHandlers(deps: WebDeps) {
  return {
    'service-settings': async (visit, { serviceId }) =>
      showSettings(deps, await ownService(deps, visit, Number(serviceId))),
    'preview-settings': async (visit, { serviceId: id, settings }) => {
      const serviceId = await ownService(deps, visit, id)
      const { changes, effects, mistakes } = await previewSettings(deps, serviceId, settings)
      return {
        changes: namedChanges(changes),
        effects: effects.map((effect) => ({ ...effect, name: effect.name as SettingName })),
        mistakes: mistakes as SettingName[],
      }
    },
    'save-settings': async (visit, { serviceId: id, settings, was }) => {
      const serviceId = await ownService(deps, visit, id)
      refuseMistakes(settings)
      if (guarded.some((name) => settings[name] !== undefined)) refuseUnconfirmed(visitorOf(visit))
      const changes = await setService(deps, actorOf(visit), { serviceId, texts: settings, was })
      deps.noteChange(accountOf(visit), 'services')
      return { changes: namedChanges(changes) }
    },
    'test-settings': async (visit, { serviceId: id, settings, ...test }) => {
      const serviceId = await ownService(deps, visit, id)
      const wait = deps.limitTests(accountOf(visit))
      if (wait !== undefined) throw new Denial('throttled', [], wait)
      const { saved, drafted } = await testSettings(deps, { serviceId, texts: settings, ...test })
      return { saved: shownStart(saved), drafted: shownStart(drafted) }
    },
  } satisfies Partial<Handlers>
}

// Into the archive leads another way, which asks for a factor.
function refuseMistakes(settings: Texts): void {
  const { mistakes } = readSettings(settings)
  const faults = settings.state === 'archived' ? [...mistakes, 'state'] : mistakes
  if (faults.length > 0) throw new Denial('invalid', faults)
}

// The page offers these settings only.
function namedChanges(changes: readonly SettingChange[]): WebOutput<'save-settings'>['changes'] {
  return changes.map(({ name, was, becomes }) => ({ name: name as SettingName, was, becomes }))
}

function shownStart({ price, refusal, settings, rules }: TestedStart): WebOutput<'test-settings'>['saved'] {
  return {
    isAccepted: refusal === undefined,
    price: price === undefined ? null : toDecimal(price),
    refusal: refusal
      ? {
          code: refusals[refusal.refusal].code,
          sentence: { en: refusalSentence(refusal, 'en'), ru: refusalSentence(refusal, 'ru') },
          settings: [...settings],
          retryAfter: refusal.retryAfterSeconds ?? null,
        }
      : null,
    rules: [...rules],
  }
}
