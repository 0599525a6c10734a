// Roles inside a sentence. Which roles have a right is in the contract.

import type { Language } from '@ringproof/contract/lists/people.ts'
import type { MemberRole, OperatorRole } from '@ringproof/contract/web/access.ts'

type Role = MemberRole | OperatorRole
type Forms = Readonly<Record<Language, Readonly<Record<Role, string>>>>

const one: Forms = {
  en: {
    owner: 'an owner',
    developer: 'a developer',
    accountant: 'an accountant',
    viewer: 'a viewer',
    admin: 'an admin',
    support: 'support',
  },
  ru: {
    owner: 'владельцу',
    developer: 'разработчику',
    accountant: 'бухгалтеру',
    viewer: 'наблюдателю',
    admin: 'администратору',
    support: 'поддержке',
  },
}

const many: Forms = {
  en: {
    owner: 'owners',
    developer: 'developers',
    accountant: 'accountants',
    viewer: 'viewers',
    admin: 'admins',
    support: 'support',
  },
  ru: {
    owner: 'владельцы',
    developer: 'разработчики',
    accountant: 'бухгалтеры',
    viewer: 'наблюдатели',
    admin: 'администраторы',
    support: 'поддержка',
  },
}

const anyList = { en: new Intl.ListFormat('en', { type: 'disjunction' }), ru: new Intl.ListFormat('ru') }
const wholeList = { en: new Intl.ListFormat('en-GB'), ru: new Intl.ListFormat('ru') }

// "an owner or a developer"; in Russian in the dative, «владельцу и разработчику».
export function anyOf(language: Language, roles: readonly Role[]): string {
  return anyList[language].format(roles.map((role) => one[language][role]))
}

// "owners and developers".
export function allOf(language: Language, roles: readonly Role[]): string {
  return wholeList[language].format(roles.map((role) => many[language][role]))
}
