// The Russian text of every description in the schemas, by its English text. A test compares both: a description that was
// changed or added in English has no Russian text until it is written here.

const descriptions: Readonly<Record<string, string>> = {
  // Parameters
  'The phone number, digits only, with its country code.': 'Номер телефона: только цифры, с кодом страны.',
  'A phone number as people write it.': 'Номер телефона в любом виде, как его пишут люди.',
  'The code: the last four digits of the caller ID. Chosen by the service if absent.':
    'Код: последние четыре цифры номера, с которого звонят. Если не передан, его выбирает сервис.',
  'Your reference to the user; returned with the verification.':
    'Ваше обозначение пользователя; возвращается вместе с проверкой.',
  'Idempotency key, ideally a UUID v4: the same key returns the same verification and is charged once.':
    'Ключ идемпотентности, лучше UUID v4: с тем же ключом вернётся та же проверка, деньги спишутся один раз.',
  'Speak the code. Russia and Kazakhstan only.': 'Произнести код голосом. Только Россия и Казахстан.',
  'Speak the code and show it in the caller ID. Russia only.':
    'Произнести код и показать его в номере, с которого звонят. Только Россия.',
  'The vendor_id of the verification.': 'vendor_id проверки.',
  'The http or https URL that receives the webhook.': 'URL http или https, на который придёт вебхук.',
  'The secret key, if it is not in the header.': 'Секретный ключ, если он не передан в заголовке.',
  'The service ID, if it is not in the header.': 'ID сервиса, если он не передан в заголовке.',

  // Every response
  'The request succeeded.': 'Запрос выполнен.',
  'The request was refused.': 'Запрос отклонён.',
  'A refusal.': 'Отказ.',
  'What is wrong, in one sentence for people.': 'Что не так: одно предложение для человека.',
  'Error code for programs. See the list of errors.': 'Код ошибки для программы. Смотрите список ошибок.',
  'Identifier of the verification; `uid` in requests.': 'Идентификатор проверки; в запросах это `uid`.',
  'The number, masked.': 'Номер под маской.',
  'The code, leading zeros kept.': 'Код, ведущие нули сохранены.',
  'As passed; empty when nothing was.': 'Как передано; пустая строка, если не передано.',

  // initCall, initRepeat, inboundCallWaiting
  '`unique`, if it was passed.': '`unique`, если он был передан.',
  'Whether the key was used before.': 'Был ли такой ключ раньше.',
  'Whether the free repeat was started.': 'Начат ли бесплатный повтор.',
  'The number for the user to call.': 'Номер, на который должен позвонить пользователь.',

  // getInfo
  'When the verification was started, Unix time in seconds.': 'Когда начата проверка, время Unix в секундах.',
  '-1 in progress, 0 not completed, 1 succeeded.': '-1 — звонок идёт, 0 — не вышло, 1 — дозвонились.',
  'Whether this verification is a free repeat.': 'Является ли проверка бесплатным повтором.',
  'The verification that this one repeats. Only in a repeat.': 'Проверка, которую повторяет эта. Только у повтора.',
  'Whether a free repeat is still possible.': 'Возможен ли ещё бесплатный повтор.',
  'Free repeats left. Only if `repeatable` is true.':
    'Сколько бесплатных повторов осталось. Только если `repeatable` равно true.',
  'Repeats of this verification. Only if there are any.': 'Повторы этой проверки. Только если они есть.',
  'The idempotency key, if one was passed.': 'Ключ идемпотентности, если он был передан.',
  'The code, leading zeros kept. Absent for an inbound call.':
    'Код, ведущие нули сохранены. У входящей проверки его нет.',
  'ISO 3166-1 alpha-2 country of the number.': 'Страна номера, ISO 3166-1 alpha-2.',
  'One object, or none if nothing is known.': 'Один объект или ни одного, если ничего не известно.',
  'Operator in the numbering registry.': 'Оператор связи по реестру нумерации.',
  'Region in Russia.': 'Регион России.',
  'Operator the number was ported to.': 'Оператор связи, к которому номер перенесён.',
  'What it costs, in the currency of the installation.': 'Стоимость в валюте установки.',
  'The balance before it was charged, in the currency of the installation.': 'Баланс до списания, в валюте установки.',

  // checkPhone
  'As passed.': 'Как передано.',
  'Why this is not a phone number; nothing was charged. Absent for a valid number.':
    'Почему это не номер телефона; деньги не списаны. У верного номера поля нет.',
  '1 for a mobile number, 0 for any other.': '1 — мобильный номер, 0 — любой другой.',
  'The number in E.164 digits.': 'Номер цифрами в формате E.164.',
  'ISO 3166-1 alpha-2.': 'Страна, ISO 3166-1 alpha-2.',
  'Country calling code.': 'Телефонный код страны.',
  'Mobile network code; 0 if unknown.': 'Код мобильной сети; 0, если неизвестен.',
  'The number without the country code.': 'Номер без кода страны.',
  'Operator; empty if unknown.': 'Оператор связи; пустая строка, если неизвестен.',
  'Organisation of the operator; Russia only.': 'Организация оператора связи; только Россия.',
  'Name of the country.': 'Название страны.',
  'Region; Russia only.': 'Регион; только Россия.',
  'City; Russia only, empty where the range belongs to a whole region.':
    'Город; только Россия, пустая строка, если диапазон выделен на весь регион.',
  'The number in national format.': 'Номер в национальном формате.',
  'Price of the lookup, in the currency of the installation.': 'Цена запроса в валюте установки.',
  'The balance after it was charged, in the currency of the installation.':
    'Баланс после списания, в валюте установки.',

  // getAccount
  'Account ID.': 'ID аккаунта.',
  'The connected Telegram account; 0 if none.': 'Подключённый аккаунт Telegram; 0, если его нет.',
  'Whether two-factor sign-in is on.': 'Включён ли вход с двумя факторами.',
  'E-mail of the owner.': 'Электронная почта владельца.',
  'Logged actions on the account, newest first.': 'Журнал действий, сначала новые; не больше 50 записей.',
  'What was done.': 'Что сделано.',
  'The browser or program that did it.': 'Браузер или программа.',
  'The IP address it was done from.': 'IP-адрес.',
  'When it was done, Unix time in seconds.': 'Когда, время Unix в секундах.',
  'Last activity, Unix time in seconds.': 'Последняя активность, время Unix в секундах.',
  'When the account was created, Unix time in seconds.': 'Когда создан аккаунт, время Unix в секундах.',

  // getService, getBalance
  'Service ID.': 'ID сервиса.',
  'Name of the service.': 'Название сервиса.',
  'When the service was created, Unix time in seconds.': 'Когда создан сервис, время Unix в секундах.',
  'When it last started or looked up something; 0 for never, Unix time in seconds.':
    'Когда сервис последний раз начинал проверку или запрашивал номер, время Unix в секундах; 0 — никогда.',
  'Where the service is used.': 'Где используется сервис.',
  'What can be spent, in the currency of the installation.': 'Сколько можно потратить, в валюте установки.',
  'Code of the tariff.': 'Код тарифа.',
  'Name of the tariff.': 'Название тарифа.',

  // Root and health
  'Name of the product.': 'Название продукта.',
  'Version of this installation.': 'Версия этой установки.',
  'URL of this reference.': 'URL этой документации.',
  'Whether requests are served.': 'Обслуживаются ли запросы.',
  'Whether the database responds.': 'Отвечает ли база данных.',
  'Whether calls can be placed.': 'Можно ли звонить.',

  // Webhook
  'The call of the user that verified the number.': 'Звонок пользователя, который подтвердил номер.',
  'The `vendor_id` of the verification, as text.': '`vendor_id` проверки, строкой.',
  'The `callback_url` of the request.': '`callback_url` из запроса.',
  'The verified number: digits with the country code, without a plus.':
    'Подтверждённый номер: цифры с кодом страны, без плюса.',
  'The number that the user called.': 'Номер, на который позвонил пользователь.',
  'Whether the number was ported to another provider.': 'Перенесён ли номер к другому оператору связи.',
  'Provider in the numbering registry. Empty unless `isMnp` is true.':
    'Оператор связи по реестру нумерации. Пустая строка, если `isMnp` не true.',
  'Provider that the number was ported to. Empty unless `isMnp` is true.':
    'Оператор связи, к которому номер перенесён. Пустая строка, если `isMnp` не true.',
  'Region in the numbering registry. Empty if unknown.': 'Регион по реестру нумерации. Пустая строка, если неизвестен.',
  'Identifies the webhook. Every retry has the same one, so use it to detect duplicates.':
    'Идентификатор вебхука. У повторных попыток он тот же: по нему узнают дубли.',
  'When this attempt was sent, Unix time in seconds. Reject it if it is older than five minutes.':
    'Когда отправлена эта попытка, время Unix в секундах. Старше пяти минут — отклоняйте.',
  'HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` with the secret of the service, as `v1,` and base64. Two of them, separated by a space, while the secret is rotated.':
    'HMAC-SHA-256 от `webhook-id.webhook-timestamp.body` на секрете сервиса: `v1,` и base64. Пока секрет меняют, подписей две, через пробел.',
}

// Undefined: the description has no Russian text.
export function russianDescription(english: string): string | undefined {
  return descriptions[english]
}

export const describedInRussian: readonly string[] = Object.keys(descriptions)
