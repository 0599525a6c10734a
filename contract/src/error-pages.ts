// What each error code means, why it happens and whether a retry helps, for its page at /docs/errors/<code>. What to do about a
// particular sentence is in error-advice.ts.

import type { RefusalName, refusals, Sentences } from './errors.ts'
import { cooldownSeconds, repeatMinutes } from './limits.ts'

export type RefusalCode = (typeof refusals)[RefusalName]['code']

// never: the same request fails again until something is changed. wait: it can succeed after Retry-After. once: it can
// succeed at once.
export type Retry = 'never' | 'wait' | 'once'

type ErrorPage = { readonly title: Sentences; readonly cause: Sentences; readonly retry: Retry }

export const errorPages: Readonly<Record<RefusalCode, ErrorPage>> = {
  0: {
    title: { en: 'The address is refused for now', ru: 'Адрес временно не обслуживается' },
    cause: {
      en: 'Five authentications from this address failed within a second. Until fewer than five lie in the last second, every request from it is refused, requests with a valid key included.',
      ru: 'С этого адреса за секунду пришло пять неудачных аутентификаций. Пока в последней секунде их не станет меньше пяти, отклоняется любой запрос с этого адреса, даже с верным ключом.',
    },
    retry: 'wait',
  },
  1: {
    title: { en: 'The request cannot be read', ru: 'Запрос не читается' },
    cause: {
      en: 'The body is not a JSON object or a form, has another media type, is larger than 16 KiB, or did not arrive completely. The sentence says what is wrong and, in JSON, where.',
      ru: 'Тело — не объект JSON и не форма, у него другой тип, оно больше 16 КиБ или пришло не целиком. В сообщении сказано, что не так и в каком месте JSON.',
    },
    retry: 'never',
  },
  2: {
    title: { en: 'A parameter is missing or wrong', ru: 'Параметр не передан или неверен' },
    cause: {
      en: 'The sentence names the parameter and the values it takes. A repeated parameter, or an array or object in place of a value, is wrong, too.',
      ru: 'В сообщении назван параметр и допустимые значения. Повторённый параметр, массив или объект вместо значения — тоже ошибка.',
    },
    retry: 'never',
  },
  3: {
    title: { en: 'Not a phone number that can be called', ru: 'На такой номер нельзя позвонить' },
    cause: {
      en: 'The number is not written as digits with its country code, belongs to a range that is never called (premium, toll-free, satellite), or its subscriber has opted out. The sentence says which.',
      ru: 'Номер записан не цифрами с кодом страны, относится к диапазону, на который не звонят (платные, бесплатные, спутниковые номера), или абонент отказался от звонков. В сообщении сказано, что именно.',
    },
    retry: 'never',
  },
  4: {
    title: { en: 'The service is switched off', ru: 'Сервис выключен' },
    cause: {
      en: 'The key is valid, but its service does not take requests.',
      ru: 'Ключ верный, но его сервис не принимает запросы.',
    },
    retry: 'never',
  },
  5: {
    title: { en: 'The call cannot be started now', ru: 'Сейчас начать звонок нельзя' },
    cause: {
      en: 'The installation is busy, or it lacks a trunk, a caller number or a price for this call. The sentence says whether retrying helps. Nothing was charged and no limit was used.',
      ru: 'Установка занята, или для этого звонка нет транка, номера или цены. В сообщении сказано, поможет ли повтор. Деньги не списаны, лимиты не израсходованы.',
    },
    retry: 'wait',
  },
  9: {
    title: { en: 'The country is not allowed', ru: 'Страна не разрешена' },
    cause: {
      en: 'A service calls only the countries of its geography. Russia and Kazakhstan are on by default, all others are off.',
      ru: 'Сервис звонит только в страны своей географии. По умолчанию включены Россия и Казахстан, остальные выключены.',
    },
    retry: 'never',
  },
  10: {
    title: { en: 'No verification with this uid', ru: 'Нет проверки с таким uid' },
    cause: {
      en: 'The ID is unknown, belongs to another service, or its verification is so old that it was deleted. All three cases respond alike.',
      ru: 'Идентификатор неизвестен, принадлежит другому сервису, или проверка такая старая, что уже удалена. Во всех трёх случаях ответ одинаковый.',
    },
    retry: 'never',
  },
  11: {
    title: { en: 'Too late for a free repeat', ru: 'Бесплатный повтор уже невозможен' },
    cause: {
      en: `A repeat is possible within ${repeatMinutes} minutes of the first call.`,
      ru: `Повтор возможен в течение ${repeatMinutes} минут после первого звонка.`,
    },
    retry: 'never',
  },
  12: {
    title: { en: 'The free repeats are used up', ru: 'Бесплатные повторы исчерпаны' },
    cause: {
      en: 'A verification can be repeated twice.',
      ru: 'Проверку можно повторить два раза.',
    },
    retry: 'never',
  },
  13: {
    title: { en: 'This verification cannot be repeated', ru: 'Эту проверку нельзя повторить' },
    cause: {
      en: 'The verification is unknown, an inbound one, or a repeat itself.',
      ru: 'Проверка неизвестна, входящая или сама является повтором.',
    },
    retry: 'never',
  },
  18: {
    title: { en: 'Too many calls to one number', ru: 'Слишком много звонков на один номер' },
    cause: {
      en: 'The limit protects the person, so part of it counts over all services of this installation: 30 calls in any 24 hours. Each service also has its own limits for a number, 4 in ten minutes and 10 a day unless they were changed.',
      ru: 'Лимит защищает человека, поэтому частично он общий для всех сервисов установки: 30 звонков за любые 24 часа. Кроме того, у каждого сервиса свои лимиты на номер: 4 за десять минут и 10 в день, если их не меняли.',
    },
    retry: 'wait',
  },
  19: {
    title: { en: 'Too soon after the last call', ru: 'Слишком рано после прошлого звонка' },
    cause: {
      en: `A number is called once at a time, and ${cooldownSeconds} seconds apart at least, over all services of this installation. The earlier call may have been another service's.`,
      ru: `На один номер звонят по одному разу, с промежутком не меньше ${cooldownSeconds} секунд, по всем сервисам установки. Прошлый звонок мог быть от другого сервиса.`,
    },
    retry: 'wait',
  },
  20: {
    title: { en: 'The mode is not available', ru: 'Режим недоступен' },
    cause: {
      en: '`voice` works for numbers of Russia and Kazakhstan, `mix` for numbers of Russia. A service can also switch modes off.',
      ru: '`voice` работает для номеров России и Казахстана, `mix` — для номеров России. Кроме того, сервис может выключить режим.',
    },
    retry: 'never',
  },
  21: {
    title: { en: 'No caller number ends with this code', ru: 'Нет номера с таким окончанием' },
    cause: {
      en: 'The code is shown as the end of a real caller number, and the installation has none that ends with the `code` of the request.',
      ru: 'Код показывается как окончание настоящего номера, а номера, который оканчивается на переданный `code`, у установки нет.',
    },
    retry: 'never',
  },
  50: {
    title: { en: 'A cap is reached', ru: 'Достигнут предел' },
    cause: {
      en: 'A cap of the service (calls an hour, calls or spend a day), a cap for one range of numbers, or its quiet hours. Caps limit what a stolen key or a flood of fake sign-ups can cost.',
      ru: 'Предел сервиса (звонков в час, звонков или расходов в день), предел на один диапазон номеров или тихие часы. Пределы ограничивают ущерб от украденного ключа и потока фальшивых регистраций.',
    },
    retry: 'wait',
  },
  401: {
    title: { en: 'Authentication failed', ru: 'Аутентификация не удалась' },
    cause: {
      en: 'The key or the service ID is missing or wrong, the key was revoked, two schemes in one request disagree, or the key lacks the scope of the method. The sentence names what can be seen in the request; which keys exist it does not say.',
      ru: 'Ключ или ID сервиса не передан или неверен, ключ отозван, две схемы в одном запросе противоречат друг другу, или у ключа нет права на этот метод. В сообщении названо то, что видно в запросе; какие ключи есть, оно не выдаёт.',
    },
    retry: 'never',
  },
  404: {
    title: { en: 'No such method', ru: 'Нет такого метода' },
    cause: {
      en: 'The path is not one of the eight methods. Their names are case-sensitive. The sentence names the nearest one.',
      ru: 'Путь не совпадает ни с одним из восьми методов. В именах важен регистр. В сообщении назван ближайший.',
    },
    retry: 'never',
  },
  405: {
    title: { en: 'Not allowed', ru: 'Не поддерживается' },
    cause: {
      en: 'Methods take GET and POST only. `initRepeat` responds with this code unless the operator has switched it on for the service.',
      ru: 'Методы принимают только GET и POST. Этим же кодом отвечает `initRepeat`, пока оператор не включил его для сервиса.',
    },
    retry: 'never',
  },
  429: {
    title: { en: 'Too many requests', ru: 'Слишком много запросов' },
    cause: {
      en: 'One client address may send 30 requests a second, unless the operator has raised the rate of the service.',
      ru: 'С одного адреса принимается 30 запросов в секунду, если оператор не поднял предел для сервиса.',
    },
    retry: 'wait',
  },
  500: {
    title: { en: 'An internal error', ru: 'Внутренняя ошибка' },
    cause: {
      en: 'Something failed on our side. The header `X-Request-Id` leads the operator to the cause.',
      ru: 'Что-то сломалось на нашей стороне. По заголовку `X-Request-Id` оператор найдёт причину.',
    },
    retry: 'once',
  },
  1001: {
    title: { en: 'The account is blocked', ru: 'Аккаунт заблокирован' },
    cause: {
      en: 'The operator of this installation has blocked the account.',
      ru: 'Оператор установки заблокировал аккаунт.',
    },
    retry: 'never',
  },
  1002: {
    title: { en: 'Not enough money', ru: 'Недостаточно денег' },
    cause: {
      en: 'The price of the call is held before it starts, and the balance, less what other calls hold, is lower than that.',
      ru: 'Цена звонка откладывается до его начала, а на балансе, за вычетом отложенного на другие звонки, столько нет.',
    },
    retry: 'never',
  },
  1003: {
    title: { en: 'The client address is not allowed', ru: 'Адрес клиента не разрешён' },
    cause: {
      en: 'The service has an allow-list of addresses, or does not take requests over the alternative plain-HTTP address.',
      ru: 'У сервиса есть список разрешённых адресов, или он не принимает запросы через альтернативный адрес без TLS.',
    },
    retry: 'never',
  },
  1004: {
    title: { en: 'The service is archived', ru: 'Сервис в архиве' },
    cause: {
      en: 'The key is valid, but its service was archived.',
      ru: 'Ключ верный, но его сервис отправлен в архив.',
    },
    retry: 'never',
  },
  1005: {
    title: { en: 'The account has no verified phone', ru: 'У аккаунта нет подтверждённого телефона' },
    cause: {
      en: 'The operator requires that the owner of the account verifies a phone before paid requests are served.',
      ru: 'Оператор требует, чтобы владелец аккаунта подтвердил телефон до первых платных запросов.',
    },
    retry: 'never',
  },
}
