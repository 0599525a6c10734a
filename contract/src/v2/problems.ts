// Every problem that the Verify API returns. Most are refusals of /v1.0 under their name in snake case: one catalogue for both. Those
// that only /v2 has are listed here.

import { type Static, Type } from 'typebox'
import { exampleSentence } from '../error-examples.ts'
import { errorPages } from '../error-pages.ts'
import { type RefusalName, refusals, type Sentences } from '../errors.ts'
import type { Language } from '../lists/people.ts'
import { PublicVerification } from './verification.ts'

export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', examples: ['https://api.example.org/docs/problems#code_wrong'] }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    code: Type.String({ pattern: '^[a-z][a-z0-9_]*$', examples: ['code_wrong'] }),
    request_id: Type.String(),
    retry_after: Type.Optional(Type.Integer()),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String({ examples: ['channels/1'] }), detail: Type.String() })),
    ),
    checks_left: Type.Optional(Type.Integer()),
    verification: Type.Optional(PublicVerification),
  },
  { description: 'RFC 9457.' },
)
export type Problem = Static<typeof Problem>

type OwnProblem = Sentences & { readonly status: number; readonly title: Sentences }

const ownProblems = {
  tokenInvalid: {
    status: 401,
    title: { en: 'The client token is not valid', ru: 'Токен клиента недействителен' },
    en: 'The token is not one of ours, has expired, or belongs to another verification.',
    ru: 'Токен выдан не нами, истёк или относится к другой проверке.',
  },
  pathUnknown: {
    status: 404,
    title: { en: 'No such path', ru: 'Такого пути нет' },
    en: 'The Verify API has no such path.',
    ru: 'В Verify API такого пути нет.',
  },
  verificationUnknown: {
    status: 404,
    title: { en: 'No such verification', ru: 'Такой проверки нет' },
    en: 'The service has no verification with this ID.',
    ru: 'У сервиса нет проверки с таким ID.',
  },
  notCalledYet: {
    status: 409,
    title: { en: 'Nobody was called yet', ru: 'Звонка ещё не было' },
    en: 'No call was dialled yet, so there is no code to check. No check was used up.',
    ru: 'Ещё ни один звонок не начат, проверять нечего. Попытка не израсходована.',
  },
  verificationOver: {
    status: 409,
    title: { en: 'The verification is over', ru: 'Проверка закончена' },
    en: 'The verification has ended; `verification` says how.',
    ru: 'Проверка уже закончена; чем — сказано в `verification`.',
  },
  noChannelLeft: {
    status: 409,
    title: { en: 'No channel is left', ru: 'Способов больше нет' },
    en: 'Every channel of this verification was used.',
    ru: 'Все способы этой проверки использованы.',
  },
  tooLateToCall: {
    status: 409,
    title: { en: 'Too late to call', ru: 'Звонить уже поздно' },
    en: 'The verification expires in less than 30 seconds; start a new one.',
    ru: 'До конца проверки меньше 30 секунд; начните новую.',
  },
  codeWrong: {
    status: 422,
    title: { en: 'The code is wrong', ru: 'Код неверный' },
    en: 'This is not the code. `checks_left` says how many more can be checked.',
    ru: 'Это не тот код. Сколько попыток осталось — в `checks_left`.',
  },
  idempotencyKeyReused: {
    status: 422,
    title: { en: 'The idempotency key was used before', ru: 'Ключ идемпотентности уже использован' },
    en: 'This key belongs to a request with another number or another code. Use a new key for a new request.',
    ru: 'С этим ключом был запрос с другим номером или кодом. Для нового запроса нужен новый ключ.',
  },
  guessesUsedUp: {
    status: 429,
    title: { en: 'Too many wrong codes', ru: 'Слишком много неверных кодов' },
    en: 'Too many wrong codes were entered for this number within a day. Only the channel inbound is possible now: it has no code.',
    ru: 'За сутки для этого номера введено слишком много неверных кодов. Сейчас возможен только входящий звонок (inbound): в нём нет кода.',
  },
} as const satisfies Record<string, OwnProblem>

// Where the sentence of /v1.0 names one parameter.
const fieldsWrong = {
  en: 'Some fields are missing, unknown or wrong; `errors` names each.',
  ru: 'Некоторых полей не хватает, или они неизвестны или неверны; каждое названо в `errors`.',
} as const satisfies Sentences

export type ProblemName = RefusalName | keyof typeof ownProblems

export function problemCode(name: ProblemName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function problemStatus(name: ProblemName): number {
  return (name in ownProblems ? ownProblems[name as keyof typeof ownProblems] : refusals[name as RefusalName]).status
}

// A refusal of /v1.0 words its own sentence.
export function problemTexts(
  name: ProblemName,
  language: Language,
): { readonly title: string; readonly detail?: string } {
  const own = name in ownProblems ? ownProblems[name as keyof typeof ownProblems] : undefined
  if (own) return { title: own.title[language], detail: own[language] }
  const title = errorPages[refusals[name as RefusalName].code].title[language]
  return name === 'invalidParameter' ? { title, detail: fieldsWrong[language] } : { title }
}

// `detail` has example values in place of the placeholders.
export function exampleProblem(name: ProblemName, publicUrl: string, language: Language = 'en'): Problem {
  const { title, detail } = problemTexts(name, language)
  const code = problemCode(name)
  return {
    type: `${publicUrl}/docs/problems#${code}`,
    title,
    status: problemStatus(name),
    detail: detail ?? exampleSentence(name as RefusalName, language),
    code,
    request_id: '0199f3c1-6a40-7d2e-9a55-3f6c1b2d4e5f',
    ...(name === 'codeWrong' ? { checks_left: 2 } : {}),
    ...(name === 'invalidParameter' ? { errors: [{ field: 'check', detail: 'is not known' }] } : {}),
  }
}

const always: readonly ProblemName[] = [
  'authenticationFailed',
  'keyRefused',
  'addressRefused',
  'addressNotAllowed',
  'plainHttpRefused',
  'accountBlocked',
  'serviceOff',
  'serviceArchived',
  'tooManyRequests',
  'serverBusy',
  'internalError',
]
const ofToken: readonly ProblemName[] = ['tokenInvalid']
const ofBody: readonly ProblemName[] = [
  'malformedRequest',
  'jsonSentAsForm',
  'bodyTooLarge',
  'mediaTypeUnknown',
  'invalidParameter',
]
const ofOne: readonly ProblemName[] = ['verificationUnknown']

const ofCall: readonly ProblemName[] = [
  'unavailable',
  'needsOperator',
  'callsStopped',
  'insufficientFunds',
  'numberLimitReached',
  'numberCooldown',
  'capReached',
  'prefixCapReached',
  'prefixCapReachedByAll',
  'prefixPaused',
  'quietHours',
  'phoneOptedOut',
  'noCallerNumber',
]

export const operationProblems = {
  startVerification: [
    ...always,
    ...ofBody,
    ...ofCall,
    'invalidPhone',
    'countryNotAllowed',
    'modeNotAvailable',
    'modeSwitchedOff',
    'phoneNotVerified',
    'idempotencyKeyReused',
    'guessesUsedUp',
  ],
  listVerifications: [...always, 'invalidParameter'],
  getVerification: [...always, ...ofToken, ...ofOne],
  checkCode: [
    ...always,
    ...ofToken,
    ...ofBody,
    ...ofOne,
    'notCalledYet',
    'verificationOver',
    'codeWrong',
    'idempotencyKeyReused',
  ],
  nextCall: [
    ...always,
    ...ofToken,
    ...ofBody,
    ...ofOne,
    ...ofCall,
    'modeNotAvailable',
    'modeSwitchedOff',
    'verificationOver',
    'noChannelLeft',
    'tooLateToCall',
  ],
  cancelVerification: [...always, ...ofOne, 'verificationOver'],
} as const satisfies Readonly<Record<string, readonly ProblemName[]>>
export type Operation = keyof typeof operationProblems
