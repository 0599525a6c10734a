// Every refusal that a client can get: code, HTTP status, and sentence in English and Russian. Names in braces are replaced by
// values where the refusal is thrown. docs/reference/errors.md documents them; a test compares the two.

import { cooldownSeconds, repeatMinutes } from './limits.ts'
import type { Language } from './lists/people.ts'

export type Sentences = Readonly<Record<Language, string>>

type Refusal = Sentences & { readonly code: number; readonly status: number }

export const refusals = {
  addressRefused: {
    code: 0,
    status: 403,
    en: 'Requests from this address are refused for now: too many authentications failed. Try again in a second.',
    ru: 'Запросы с этого адреса пока не принимаются: слишком много неудачных аутентификаций. Повторите через секунду.',
  },
  malformedRequest: {
    code: 1,
    status: 400,
    en: 'The request cannot be read: {fault}.',
    ru: 'Запрос не читается: {fault}.',
  },
  jsonSentAsForm: {
    code: 1,
    status: 400,
    en: 'The request cannot be read: its body is JSON, but its Content-Type says form. Send Content-Type: application/json.',
    ru: 'Запрос не читается: тело — JSON, а Content-Type — форма. Передайте Content-Type: application/json.',
  },
  bodyTooLarge: {
    code: 1,
    status: 413,
    en: 'The request cannot be read: its body is larger than 16 KiB.',
    ru: 'Запрос не читается: тело больше 16 КиБ.',
  },
  mediaTypeUnknown: {
    code: 1,
    status: 415,
    en: 'The request cannot be read: its body must be application/json or application/x-www-form-urlencoded.',
    ru: 'Запрос не читается: тело должно быть application/json или application/x-www-form-urlencoded.',
  },
  headersTooLarge: {
    code: 1,
    status: 431,
    en: 'The request cannot be read: its headers are larger than 16 KiB.',
    ru: 'Запрос не читается: заголовки больше 16 КиБ.',
  },
  requestTimeout: {
    code: 1,
    status: 408,
    en: 'The request cannot be read: it did not arrive in time.',
    ru: 'Запрос не читается: он не пришёл вовремя.',
  },
  parameterMissing: {
    code: 2,
    status: 400,
    en: 'The parameter {parameter} is missing.',
    ru: 'Не передан параметр {parameter}.',
  },
  parameterMisnamed: {
    code: 2,
    status: 400,
    en: 'The parameter {parameter} is missing: the request calls it {name}.',
    ru: 'Не передан параметр {parameter}: в запросе он назван {name}.',
  },
  parameterInPostQuery: {
    code: 2,
    status: 400,
    en: 'The parameter {parameter} is missing: the query of a POST is not read. Send parameters in the body, or use GET.',
    ru: 'Не передан параметр {parameter}: строка запроса POST не читается. Передайте параметры в теле или используйте GET.',
  },
  parameterInGetBody: {
    code: 2,
    status: 400,
    en: 'The parameter {parameter} is missing: the body of a GET is not read. Send parameters in the query, or use POST.',
    ru: 'Не передан параметр {parameter}: тело запроса GET не читается. Передайте параметры в строке запроса или используйте POST.',
  },
  invalidParameter: {
    code: 2,
    status: 400,
    en: 'The parameter {parameter} is wrong: {expected}.',
    ru: 'Неверный параметр {parameter}: {expected}.',
  },
  invalidPhone: {
    code: 3,
    status: 400,
    en: 'This is not a phone number that can be called: {reason}.',
    ru: 'На этот номер нельзя позвонить: {reason}.',
  },
  phoneOptedOut: {
    code: 3,
    status: 400,
    en: 'This number takes no verification calls: its subscriber has opted out.',
    ru: 'На этот номер не звонят: абонент отказался от звонков с подтверждением.',
  },
  serviceOff: { code: 4, status: 403, en: 'The service is switched off.', ru: 'Сервис выключен.' },
  unavailable: {
    code: 5,
    status: 503,
    en: 'The call cannot be started now. Nothing was charged; try again later.',
    ru: 'Сейчас начать звонок нельзя. Деньги не списаны; повторите позже.',
  },
  serverBusy: {
    code: 5,
    status: 503,
    en: 'The service is busy. Nothing was charged; try again in a second.',
    ru: 'Сервис занят. Деньги не списаны; повторите через секунду.',
  },
  needsOperator: {
    code: 5,
    status: 503,
    en: 'The call cannot be started until the operator changes the setup; retrying before that does not help. Nothing was charged.',
    ru: 'Звонок нельзя начать, пока оператор не изменит настройки; до этого повторять бесполезно. Деньги не списаны.',
  },
  callsStopped: {
    code: 5,
    status: 503,
    en: 'The operator has stopped all calls for now. Nothing was charged; try again later.',
    ru: 'Оператор временно остановил все звонки. Деньги не списаны; повторите позже.',
  },
  countryNotAllowed: {
    code: 9,
    status: 403,
    en: 'The country {country} is not in the geography of the service.',
    ru: 'Страна {country} не входит в географию сервиса.',
  },
  uidUnknown: {
    code: 10,
    status: 404,
    en: 'The service has no verification with this uid.',
    ru: 'У сервиса нет верификации с таким uid.',
  },
  repeatTooLate: {
    code: 11,
    status: 409,
    en: `It is too late for a free repeat: more than ${repeatMinutes} minutes have passed.`,
    ru: `Бесплатный повтор уже невозможен: прошло больше ${repeatMinutes} минут.`,
  },
  repeatLimitReached: {
    code: 12,
    status: 409,
    en: 'The free repeats of this verification are used up.',
    ru: 'Бесплатные повторы этой верификации исчерпаны.',
  },
  notRepeatable: {
    code: 13,
    status: 409,
    en: 'This verification cannot be repeated.',
    ru: 'Эту верификацию нельзя повторить.',
  },
  numberLimitReached: {
    code: 18,
    status: 429,
    en: 'Too many calls to one number; the limit is {limit}.',
    ru: 'Слишком много звонков на один номер; предел — {limit}.',
  },
  numberCooldown: {
    code: 19,
    status: 429,
    en: `Too soon: ${cooldownSeconds} seconds must pass between two calls to one number, and the first must be over.`,
    ru: `Слишком рано: между двумя звонками на один номер должно пройти ${cooldownSeconds} секунд, и первый должен закончиться.`,
  },
  modeNotAvailable: {
    code: 20,
    status: 400,
    en: 'The mode {mode} is not available in the country of this number.',
    ru: 'Режим {mode} недоступен в стране этого номера.',
  },
  modeSwitchedOff: {
    code: 20,
    status: 400,
    en: 'The mode {mode} is switched off for this service.',
    ru: 'Режим {mode} для этого сервиса выключен.',
  },
  noCallerNumber: {
    code: 21,
    status: 409,
    en: 'None of our caller numbers ends with the code that was asked for.',
    ru: 'Ни один из наших номеров не оканчивается на запрошенный код.',
  },
  capReached: {
    code: 50,
    status: 429,
    en: 'The service has reached its own cap: {cap}.',
    ru: 'Сервис достиг собственного предела: {cap}.',
  },
  prefixCapReached: {
    code: 50,
    status: 429,
    en: 'Too many calls to one range of numbers; the cap for this hour is reached.',
    ru: 'Слишком много звонков на один диапазон номеров; предел на этот час исчерпан.',
  },
  prefixCapReachedByAll: {
    code: 50,
    status: 429,
    en: 'Too many calls to one range of numbers over all services; the cap for this hour is reached.',
    ru: 'Слишком много звонков на один диапазон номеров со всех сервисов; предел на этот час исчерпан.',
  },
  prefixPaused: {
    code: 50,
    status: 429,
    en: 'Calls to this range of numbers are paused: far fewer of them get through than usual.',
    ru: 'Звонки на этот диапазон номеров приостановлены: до абонентов доходит гораздо меньше, чем обычно.',
  },
  quietHours: {
    code: 50,
    status: 429,
    en: 'It is night at this number: the service does not call from {from} to {until} there.',
    ru: 'У абонента ночь: сервис не звонит с {from} до {until} по его времени.',
  },
  authenticationFailed: {
    code: 401,
    status: 401,
    en: 'Authentication failed: {fault}. Send the header Authorization: Bearer KEY.SERVICE_ID.',
    ru: 'Аутентификация не удалась: {fault}. Передайте заголовок Authorization: Bearer KEY.SERVICE_ID.',
  },
  keyInJsonSentAsForm: {
    code: 401,
    status: 401,
    en: 'Authentication failed: the body is JSON, but its Content-Type says form. Send Content-Type: application/json.',
    ru: 'Аутентификация не удалась: тело — JSON, а Content-Type — форма. Передайте Content-Type: application/json.',
  },
  keyInGetBody: {
    code: 401,
    status: 401,
    en: 'Authentication failed: the body of a GET is not read. Send the key in a Bearer header or in the query, or use POST.',
    ru: 'Аутентификация не удалась: тело запроса GET не читается. Передайте ключ в заголовке Bearer или в строке запроса либо используйте POST.',
  },
  keyRefused: {
    code: 401,
    status: 401,
    en: 'Authentication failed: the key is unknown or revoked, belongs to another service, or lacks the scope of this method. Check both parts of Bearer KEY.SERVICE_ID.',
    ru: 'Аутентификация не удалась: ключ неизвестен, отозван, принадлежит другому сервису или не имеет права на этот метод. Проверьте обе части Bearer KEY.SERVICE_ID.',
  },
  methodUnknown: {
    code: 404,
    status: 404,
    en: 'There is no such method: {hint}.',
    ru: 'Такого метода нет: {hint}.',
  },
  methodNotAllowed: {
    code: 405,
    status: 405,
    en: 'Methods are called by GET or POST.',
    ru: 'Методы вызываются запросами GET или POST.',
  },
  repeatNotSupported: {
    code: 405,
    status: 405,
    en: 'initRepeat is no longer supported; call initCall again.',
    ru: 'initRepeat больше не поддерживается; вызовите initCall ещё раз.',
  },
  tooManyRequests: {
    code: 429,
    status: 429,
    en: 'Too many requests from one address; the limit is {limit} a second.',
    ru: 'Слишком много запросов с одного адреса; предел — {limit} в секунду.',
  },
  internalError: {
    code: 500,
    status: 500,
    en: 'Something went wrong on our side. The header X-Request-Id names this request.',
    ru: 'Что-то пошло не так на нашей стороне. Запрос назван в заголовке X-Request-Id.',
  },
  accountBlocked: { code: 1001, status: 403, en: 'The account is blocked.', ru: 'Аккаунт заблокирован.' },
  insufficientFunds: {
    code: 1002,
    status: 402,
    en: 'There is not enough money on the account.',
    ru: 'На счёте недостаточно денег.',
  },
  addressNotAllowed: {
    code: 1003,
    status: 403,
    en: 'This address is not on the allow-list of the service.',
    ru: 'Этого адреса нет в списке разрешённых адресов сервиса.',
  },
  plainHttpRefused: {
    code: 1003,
    status: 403,
    en: 'The service does not take requests over the alternative address.',
    ru: 'Сервис не принимает запросы через альтернативный адрес.',
  },
  serviceArchived: { code: 1004, status: 403, en: 'The service is archived.', ru: 'Сервис в архиве.' },
  phoneNotVerified: {
    code: 1005,
    status: 403,
    en: 'The owner of the account must verify a phone first.',
    ru: 'Сначала владелец аккаунта должен подтвердить телефон.',
  },
} as const satisfies Record<string, Refusal>
export type RefusalName = keyof typeof refusals
