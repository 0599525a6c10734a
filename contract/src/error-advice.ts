// Who can fix a refusal, and how. docs/reference/errors.md and the error pages of /docs are generated from it.

import type { RefusalName, Sentences } from './errors.ts'
import { verificationDaysDefault } from './limits.ts'

export type Fixer = 'you' | 'account owner' | 'operator'

type Advice = Sentences & { readonly by: Fixer }

export const errorAdvice: Readonly<Record<RefusalName, Advice>> = {
  addressRefused: {
    by: 'you',
    en: 'Find out what sends wrong keys from this address. It is served again one second after that stops.',
    ru: 'Найдите, что отправляет с этого адреса неверные ключи. Через секунду после этого запросы снова принимаются.',
  },
  malformedRequest: {
    by: 'you',
    en: 'The sentence says what is wrong, and where in the JSON. Send a JSON object, or a form with its Content-Type.',
    ru: 'В сообщении сказано, что не так и в каком месте JSON. Отправьте объект JSON или форму с её Content-Type.',
  },
  jsonSentAsForm: {
    by: 'you',
    en: "curl sends a form by default: add `-H 'Content-Type: application/json'`.",
    ru: "По умолчанию curl отправляет форму: добавьте `-H 'Content-Type: application/json'`.",
  },
  bodyTooLarge: {
    by: 'you',
    en: 'No valid request is that long. Check what else is in the body.',
    ru: 'Верный запрос не бывает таким длинным. Посмотрите, что ещё попало в тело.',
  },
  mediaTypeUnknown: {
    by: 'you',
    en: 'Set Content-Type to application/json.',
    ru: 'Передайте Content-Type: application/json.',
  },
  headersTooLarge: {
    by: 'you',
    en: 'Check for cookies or tokens that a proxy adds.',
    ru: 'Проверьте, не добавляет ли прокси куки или токены.',
  },
  requestTimeout: {
    by: 'you',
    en: 'Send the whole request within 15 seconds.',
    ru: 'Отправляйте весь запрос за 15 секунд.',
  },
  parameterMissing: {
    by: 'you',
    en: 'Pass the parameter. `null` counts as missing, and so does an empty text.',
    ru: 'Передайте параметр. `null` и пустой текст — то же, что отсутствие.',
  },
  parameterMisnamed: {
    by: 'you',
    en: 'Rename the parameter. Names are case-sensitive.',
    ru: 'Переименуйте параметр. В именах важен регистр.',
  },
  parameterInPostQuery: {
    by: 'you',
    en: 'Move the parameters to the body, or send a GET.',
    ru: 'Перенесите параметры в тело или отправьте GET.',
  },
  parameterInGetBody: {
    by: 'you',
    en: 'Move the parameters to the query, or send a POST.',
    ru: 'Перенесите параметры в строку запроса или отправьте POST.',
  },
  invalidParameter: {
    by: 'you',
    en: 'The sentence says which values are valid.',
    ru: 'В сообщении сказано, какие значения допустимы.',
  },
  invalidPhone: {
    by: 'you',
    en: 'The sentence says what is wrong with the number. `checkPhone` accepts free text.',
    ru: 'В сообщении сказано, что с номером не так. Номер в свободной форме принимает `checkPhone`.',
  },
  phoneOptedOut: {
    by: 'operator',
    en: 'Offer the user another method. At the request of the subscriber, `ringproof opt-outs remove` allows calls again.',
    ru: 'Предложите пользователю другой способ. По просьбе абонента звонки снова разрешает `ringproof opt-outs remove`.',
  },
  serviceOff: {
    by: 'account owner',
    en: 'Turn the service on (`ringproof services set ID --state on`).',
    ru: 'Включите сервис (`ringproof services set ID --state on`).',
  },
  unavailable: {
    by: 'operator',
    en: 'Retry after `Retry-After` seconds, with the same `unique`.',
    ru: 'Повторите через `Retry-After` секунд с тем же `unique`.',
  },
  serverBusy: {
    by: 'operator',
    en: 'Retry after `Retry-After` seconds, with the same `unique`. If it goes on, the metric `ringproof_unavailable_total` says by `cause` what is busy.',
    ru: 'Повторите через `Retry-After` секунд с тем же `unique`. Если это не проходит, метрика `ringproof_unavailable_total` покажет в `cause`, что занято.',
  },
  needsOperator: {
    by: 'operator',
    en: 'The log line `request completed` and the metric `ringproof_unavailable_total` name the `cause`: `no_price`, `no_trunk`, `trunks_off`, `no_caller_number`, `no_confirmation_number` or `clock_ahead`.',
    ru: 'Строка журнала `request completed` и метрика `ringproof_unavailable_total` называют причину в `cause`: `no_price`, `no_trunk`, `trunks_off`, `no_caller_number`, `no_confirmation_number` или `clock_ahead`.',
  },
  callsStopped: {
    by: 'operator',
    en: '`ringproof trunks list` shows since when and why, `ringproof trunks resume-all` resumes calls. Inbound calls and test numbers keep working.',
    ru: '`ringproof trunks list` показывает, с какого времени и почему, `ringproof trunks resume-all` возобновляет звонки. Входящие звонки и тестовые номера работают.',
  },
  countryNotAllowed: {
    by: 'account owner',
    en: 'Add the country to the geography of the service if you want to call there.',
    ru: 'Если туда нужно звонить, добавьте страну в географию сервиса.',
  },
  uidUnknown: {
    by: 'you',
    en: `Use an ID of the same service. Verifications are kept for RINGPROOF_VERIFICATION_DAYS days, ${verificationDaysDefault} by default.`,
    ru: `Передайте идентификатор того же сервиса. Проверки хранятся RINGPROOF_VERIFICATION_DAYS дней, по умолчанию ${verificationDaysDefault}.`,
  },
  repeatTooLate: { by: 'you', en: 'Start a new verification.', ru: 'Начните новую проверку.' },
  repeatLimitReached: { by: 'you', en: 'Start a new verification.', ru: 'Начните новую проверку.' },
  notRepeatable: { by: 'you', en: 'Start a new verification.', ru: 'Начните новую проверку.' },
  numberLimitReached: {
    by: 'you',
    en: 'Wait `Retry-After` seconds, ask the user for another number, or offer an inbound call.',
    ru: 'Подождите `Retry-After` секунд, попросите другой номер или предложите входящий звонок.',
  },
  numberCooldown: {
    by: 'you',
    en: 'Wait `Retry-After` seconds before you offer another call.',
    ru: 'Подождите `Retry-After` секунд, прежде чем предлагать ещё один звонок.',
  },
  modeNotAvailable: {
    by: 'you',
    en: 'Omit `voice` and `mix`. Flash calls work in every country that can be called.',
    ru: 'Не передавайте `voice` и `mix`. Обычный звонок с кодом в номере работает во всех странах, куда можно звонить.',
  },
  modeSwitchedOff: {
    by: 'account owner',
    en: 'Use another mode, or switch this one on for the service (`ringproof services set ID --modes`).',
    ru: 'Возьмите другой режим или включите этот для сервиса (`ringproof services set ID --modes`).',
  },
  noCallerNumber: {
    by: 'you',
    en: 'Omit `code` and use the one in the response.',
    ru: 'Не передавайте `code`, возьмите код из ответа.',
  },
  capReached: {
    by: 'account owner',
    en: 'Raise the cap of the service if the traffic is legitimate.',
    ru: 'Если трафик настоящий, поднимите предел сервиса.',
  },
  prefixCapReached: {
    by: 'account owner',
    en: 'Numbers that differ only in their last four digits share a cap; legitimate users are spread more widely. Find out who makes these requests. `ringproof services set --prefix-hour-max` changes the cap.',
    ru: 'У номеров, которые различаются только последними четырьмя цифрами, общий предел; настоящие пользователи распределены шире. Выясните, откуда эти запросы. Предел меняет `ringproof services set --prefix-hour-max`.',
  },
  prefixCapReachedByAll: {
    by: 'operator',
    en: '`ringproof fraud hits --rule prefix-cap-all` shows which services call there. RINGPROOF_PREFIX_HOUR_MAX is the cap.',
    ru: '`ringproof fraud hits --rule prefix-cap-all` показывает, какие сервисы туда звонят. Предел — RINGPROOF_PREFIX_HOUR_MAX.',
  },
  prefixPaused: {
    by: 'operator',
    en: 'Calls resume by themselves after `Retry-After`. `ringproof fraud hits` shows which services call there.',
    ru: 'Звонки возобновятся сами через `Retry-After`. `ringproof fraud hits` показывает, какие сервисы туда звонят.',
  },
  quietHours: {
    by: 'account owner',
    en: 'Wait `Retry-After` seconds, or change the quiet hours of the service.',
    ru: 'Подождите `Retry-After` секунд или измените тихие часы сервиса.',
  },
  authenticationFailed: {
    by: 'you',
    en: 'The sentence says what is wrong with the text that was sent. The key is 32 letters and digits. If a request uses two schemes, they must agree.',
    ru: 'В сообщении сказано, что не так с переданным текстом. Ключ — это 32 буквы и цифры. Если в запросе две схемы, они должны совпадать.',
  },
  keyInJsonSentAsForm: {
    by: 'you',
    en: "Add `-H 'Content-Type: application/json'`.",
    ru: "Добавьте `-H 'Content-Type: application/json'`.",
  },
  keyInGetBody: {
    by: 'you',
    en: 'Send the key in the `Authorization` header.',
    ru: 'Передайте ключ в заголовке `Authorization`.',
  },
  keyRefused: {
    by: 'account owner',
    en: "Compare the key with those of the service (`ringproof services show SERVICE`). The scope is `start` for initCall, initRepeat, inboundCallWaiting and checkPhone, `listen` for webhooks on a developer's machine, `read` for everything else. Which of these it is, the response does not say to anyone.",
    ru: 'Сравните ключ с ключами сервиса (`ringproof services show SERVICE`). Право — `start` для initCall, initRepeat, inboundCallWaiting и checkPhone, `listen` для вебхуков на компьютере разработчика, `read` для остального. Что именно не так, ответ не сообщает никому.',
  },
  methodUnknown: {
    by: 'you',
    en: 'The path is the base address and `/v1.0/` with the name of the method. Names are case-sensitive: `/v1.0/initCall`.',
    ru: 'Путь — это базовый адрес и `/v1.0/` с именем метода. В именах важен регистр: `/v1.0/initCall`.',
  },
  methodNotAllowed: { by: 'you', en: 'Use GET or POST.', ru: 'Отправляйте GET или POST.' },
  repeatNotSupported: { by: 'you', en: 'Call `initCall` again.', ru: 'Вызовите `initCall` ещё раз.' },
  tooManyRequests: {
    by: 'you',
    en: 'Spread your requests. The operator can raise the rate of a service.',
    ru: 'Распределите запросы во времени. Оператор может поднять предел для сервиса.',
  },
  internalError: {
    by: 'operator',
    en: 'Retry. If it persists, report the request ID.',
    ru: 'Повторите. Если ошибка остаётся, сообщите идентификатор запроса.',
  },
  accountBlocked: {
    by: 'operator',
    en: 'Contact the operator of this installation.',
    ru: 'Свяжитесь с оператором этой установки.',
  },
  insufficientFunds: {
    by: 'account owner',
    en: 'Top up the account. Test numbers work without money.',
    ru: 'Пополните счёт. Тестовые номера работают без денег.',
  },
  addressNotAllowed: {
    by: 'account owner',
    en: 'Add the address to the allow-list of the service.',
    ru: 'Добавьте адрес в список разрешённых адресов сервиса.',
  },
  plainHttpRefused: {
    by: 'account owner',
    en: 'Use the main address, or allow the alternative one with `--plain-http on`.',
    ru: 'Используйте основной адрес или разрешите альтернативный: `--plain-http on`.',
  },
  serviceArchived: {
    by: 'account owner',
    en: 'Turn the service on (`--state on`), or use another one.',
    ru: 'Включите сервис (`--state on`) или возьмите другой.',
  },
  phoneNotVerified: {
    by: 'account owner',
    en: 'Verify a phone for the account.',
    ru: 'Подтвердите телефон аккаунта.',
  },
}
