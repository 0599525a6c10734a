// The limits of each method, from the constants that enforce them.

import type { Sentences } from '@ringproof/contract/errors.ts'
import { cooldownSeconds } from '@ringproof/contract/limits.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import { inEnglish, inRussian } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { inboundRequestsMax } from '../../domain/verifications/inbound-request.ts'
import { callsPerDayOverAll } from '../../domain/verifications/number-limits.ts'
import { bodyBytesMax } from '../web-server.ts'

export function methodLimits(method: Method, language: Language): readonly string[] {
  return [...(limits[method] ?? []), everyRequest].map((limit) => limit[language])
}

const everyRequest: Sentences = {
  en: `30 requests a second from one address by default, ${bodyBytesMax / 1024} KiB in a body.`,
  ru: `По умолчанию 30 запросов в секунду с одного адреса, тело до ${bodyBytesMax / 1024} КиБ.`,
}

const caps: Sentences = {
  en: 'The caps of the service: calls an hour, calls and spend a day.',
  ru: 'Пределы сервиса: звонков в час, звонков и расходов в день.',
}

const limits: Partial<Readonly<Record<Method, readonly Sentences[]>>> = {
  initCall: [
    {
      en: `To one number, over all services: one call at a time, ${cooldownSeconds} seconds apart, ${callsPerDayOverAll} in any 24 hours.`,
      ru: `На один номер со всех сервисов: по одному звонку, с промежутком ${cooldownSeconds} секунд, ${callsPerDayOverAll} за любые 24 часа.`,
    },
    {
      en: 'To one number from one service: 4 in ten minutes, 10 a day, unless the service changes them.',
      ru: 'На один номер от одного сервиса: 4 за десять минут, 10 в день, если сервис их не менял.',
    },
    caps,
    {
      en: 'A repeated `unique` and the test numbers count against none of these.',
      ru: 'Повтор `unique` и тестовые номера эти лимиты не расходуют.',
    },
  ],
  getInfo: [
    {
      en: `Verifications are kept for ${inEnglish(retention.verifications.kept)} by default.`,
      ru: `Проверки по умолчанию хранятся ${inRussian(retention.verifications.kept)}.`,
    },
  ],
  initRepeat: [
    {
      en: `Where it is on: two repeats within ${inEnglish(retention.repeatNumbers.kept)} of the first call, with its code and its number.`,
      ru: `Там, где включён: два повтора в течение ${inRussian(retention.repeatNumbers.kept, 'genitive')} после первого звонка, с тем же кодом и номером.`,
    },
  ],
  inboundCallWaiting: [
    {
      en: 'The user has 120 seconds to call by default; a service may set 30 to 300.',
      ru: 'На звонок у пользователя по умолчанию 120 секунд; сервис может задать от 30 до 300.',
    },
    {
      en: `${inboundRequestsMax} active requests for one number and service.`,
      ru: `${inboundRequestsMax} активных запросов на один номер от одного сервиса.`,
    },
    caps,
  ],
  checkPhone: [{ en: 'Text of at most 256 characters.', ru: 'Текст не длиннее 256 символов.' }],
}
