// What is wrong with a request that cannot be read, and with the key of one that is not authenticated. Only what can be seen in the
// request itself: these sentences say nothing about which keys exist.

import type { Sentences } from './errors.ts'

// Why a request cannot be read: the fault in the sentence of code 1.
export const requestFaults = {
  notHttp: { en: 'it must be valid HTTP', ru: 'нужен правильный HTTP' },
  spaceInUrl: {
    en: 'its URL contains a space, which is written as %20',
    ru: 'в URL есть пробел, он пишется как %20',
  },
  badEscape: {
    en: 'its path contains a % without two hexadecimal digits after it',
    ru: 'в пути есть %, после которого нет двух шестнадцатеричных цифр',
  },
  notOneHost: { en: 'it must have exactly one Host header', ru: 'нужен ровно один заголовок Host' },
  cutShort: {
    en: 'its body is not as long as its Content-Length says',
    ru: 'длина тела не совпадает с Content-Length',
  },
  compressed: {
    en: 'its body is compressed; send it as it is, without Content-Encoding',
    ru: 'тело сжато; передайте его как есть, без Content-Encoding',
  },
  notUtf8: {
    en: 'its body is not UTF-8, which JSON and forms are sent in',
    ru: 'тело не в UTF-8, а JSON и формы передаются в UTF-8',
  },
  formSentAsJson: {
    en: 'its body is a form; send it with Content-Type: application/x-www-form-urlencoded, or send JSON',
    ru: 'тело — форма; передайте Content-Type: application/x-www-form-urlencoded или отправьте JSON',
  },
  array: {
    en: 'its body is a JSON array and must be an object, in braces',
    ru: 'тело — массив JSON, а нужен объект, в фигурных скобках',
  },
  encodedTwice: {
    en: 'its body is a JSON object inside a JSON text: it was encoded twice',
    ru: 'тело — объект JSON внутри строки JSON: его закодировали дважды',
  },
  notObject: {
    en: 'its body must be a JSON object, in braces',
    ru: 'тело должно быть объектом JSON, в фигурных скобках',
  },
} as const satisfies Record<string, Sentences>

// What stops the JSON of a body from being read, and where.
const jsonFaults = {
  singleQuote: { en: 'names and texts take double quotes', ru: 'имена и тексты пишутся в двойных кавычках' },
  bareName: { en: 'names take double quotes', ru: 'имена пишутся в двойных кавычках' },
  trailingComma: { en: 'nothing follows the comma before it', ru: 'после запятой перед этим местом ничего нет' },
  controlCharacter: {
    en: 'a line break or another control character in a text must be escaped',
    ru: 'перевод строки и другие управляющие символы в тексте экранируются',
  },
  endsEarly: { en: 'the text ends there', ru: 'здесь текст обрывается' },
  leadingZero: { en: 'a number does not begin with 0; send a text', ru: 'число не начинается с 0; передайте текст' },
  unexpected: { en: 'this is not expected there', ru: 'здесь это недопустимо' },
} as const satisfies Record<string, Sentences>
export type JsonFault = keyof typeof jsonFaults

export function badJson(
  fault: JsonFault,
  { line, column }: { readonly line: number; readonly column: number },
): Sentences {
  return {
    en: `its JSON is wrong at line ${line}, column ${column}: ${jsonFaults[fault].en}`,
    ru: `ошибка в JSON, строка ${line}, символ ${column}: ${jsonFaults[fault].ru}`,
  }
}

// What can be seen to be wrong with the key: the fault in the sentence of code 401.
export const keyFaults = {
  noKey: { en: 'the request has no key', ru: 'в запросе нет ключа' },
  apiKeyHeader: {
    en: 'the key is in X-API-Key, which is not read',
    ru: 'ключ в заголовке X-API-Key, а он не читается',
  },
  postQuery: {
    en: 'the key is in the query of a POST, which is not read',
    ru: 'ключ в строке запроса POST, а она не читается',
  },
  unreadableBody: {
    en: 'the body, where the key may be, cannot be read',
    ru: 'тело, в котором может быть ключ, не читается',
  },
  otherScheme: {
    en: 'the Authorization header has another scheme than Bearer',
    ru: 'в заголовке Authorization не схема Bearer, а другая',
  },
  noScheme: {
    en: 'the Authorization header lacks the word Bearer and a space',
    ru: 'в заголовке Authorization нет слова Bearer с пробелом',
  },
  noDot: {
    en: 'there is no dot with the service ID after the key',
    ru: 'после ключа нет точки с ID сервиса',
  },
  dots: { en: 'there is more than one dot after Bearer', ru: 'после Bearer больше одной точки' },
  swapped: {
    en: 'the service ID comes before the key',
    ru: 'ID сервиса стоит перед ключом',
  },
  badServiceId: { en: 'the service ID is not a number', ru: 'ID сервиса — не число' },
  keyMissing: { en: 'there is a service ID and no key', ru: 'есть ID сервиса, а ключа нет' },
  serviceIdMissing: { en: 'there is a key and no service_id', ru: 'есть ключ, а service_id нет' },
  keyCharacters: {
    en: 'the key has characters other than letters and digits',
    ru: 'в ключе есть не только буквы и цифры',
  },
  disagreeing: {
    en: 'the header and the parameters have different keys or service IDs',
    ru: 'в заголовке и в параметрах разные ключи или ID сервиса',
  },
} as const satisfies Record<string, Sentences>

export function badKeyLength(length: number, expected: number): Sentences {
  return {
    en: `the key has ${length} characters, and every key has ${expected}`,
    ru: `длина ключа — ${length}, а у каждого ключа она ${expected}`,
  }
}
