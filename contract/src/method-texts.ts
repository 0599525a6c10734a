// What each method does, in both languages. Names of fields are in backticks.

import type { Sentences } from './errors.ts'
import { repeatMinutes } from './limits.ts'
import type { Method } from './methods.ts'

type MethodText = {
  readonly group: 'Verification' | 'Information'
  readonly summary: Sentences
  readonly description: Sentences
}

export const methodTexts: Readonly<Record<Method, MethodText>> = {
  initCall: {
    group: 'Verification',
    summary: { en: 'Start a verification call', ru: 'Начать проверку звонком' },
    description: {
      en: 'Calls the number. The last four digits of the caller ID are the code; with `voice` the code is spoken, with `mix` both. Pass a new `unique` for every verification and the same one when you retry: a retry never calls or charges twice.',
      ru: 'Звонит на номер. Код — последние четыре цифры номера, с которого звонят; с `voice` код произносит робот, с `mix` — и то и другое. Передавайте новый `unique` для каждой проверки и тот же при повторной отправке запроса: второго звонка и второго списания не будет.',
    },
  },
  getInfo: {
    group: 'Verification',
    summary: { en: 'Get the state of a verification', ru: 'Узнать состояние проверки' },
    description: {
      en: 'The state of a verification. `call_status` is -1 while the call is in progress, then 1 (succeeded) or 0 (not completed). It is final within a minute; an inbound verification stays at -1 until the call arrives or its time is over.',
      ru: 'Состояние проверки. `call_status` равен -1, пока звонок идёт, затем 1 (дозвонились) или 0 (не вышло). Итог известен в течение минуты и больше не меняется; входящая проверка остаётся в -1, пока не придёт звонок или не кончится её время.',
    },
  },
  initRepeat: {
    group: 'Verification',
    summary: { en: 'Repeat a call for free; off by default', ru: 'Бесплатно повторить звонок; по умолчанию выключен' },
    description: {
      en: `Deprecated and off by default: it responds with code 405. Start a new verification with \`initCall\` instead. The operator can switch it on for a service that moves from another provider; then it repeats a call with the same code, at most twice within ${repeatMinutes} minutes of the first.`,
      ru: `Устарел и по умолчанию выключен: отвечает кодом 405. Вместо него начните новую проверку через \`initCall\`. Оператор установки может включить его для сервиса, который переезжает от другого поставщика; тогда он повторяет звонок с тем же кодом, не больше двух раз в течение ${repeatMinutes} минут после первого.`,
    },
  },
  inboundCallWaiting: {
    group: 'Verification',
    summary: { en: 'Wait for a call from the user', ru: 'Ждать звонка от пользователя' },
    description: {
      en: 'Returns a number for the user to call from the phone to be verified. The call is rejected unanswered, so it is free for the user, and a signed webhook is sent to `callback_url`.',
      ru: 'Возвращает номер, на который пользователь звонит с проверяемого телефона. Звонок сбрасывается без ответа, поэтому для пользователя он бесплатный, а на `callback_url` уходит подписанный вебхук.',
    },
  },
  checkPhone: {
    group: 'Information',
    summary: { en: 'Check and describe a phone number', ru: 'Проверить и описать номер' },
    description: {
      en: 'Parses a phone number as people write it and returns its country, provider and, in Russia, region and city. If the text is not a phone number, the response has `error` and nothing is charged.',
      ru: 'Разбирает номер в том виде, как его пишут люди, и возвращает страну, оператора связи, а для России — регион и город. Если это не номер телефона, в ответе есть `error` и деньги не списываются.',
    },
  },
  getAccount: {
    group: 'Information',
    summary: { en: 'The account and its last actions', ru: 'Аккаунт и последние действия' },
    description: {
      en: 'The account that the service belongs to and its last 50 logged actions, newest first.',
      ru: 'Аккаунт, которому принадлежит сервис, и последние 50 записей его журнала, сначала новые.',
    },
  },
  getService: {
    group: 'Information',
    summary: { en: 'The service', ru: 'Сервис' },
    description: {
      en: 'The service that the key belongs to. `service_status` is its ID.',
      ru: 'Сервис, которому принадлежит ключ. `service_status` — это его ID.',
    },
  },
  getBalance: {
    group: 'Information',
    summary: { en: 'Balance and tariff', ru: 'Баланс и тариф' },
    description: {
      en: 'The balance that the account can spend now: amounts held for calls in progress are already deducted.',
      ru: 'Баланс, который можно потратить сейчас: суммы, отложенные на текущие звонки, уже вычтены.',
    },
  },
}
