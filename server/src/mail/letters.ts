// Every message that we send to people, in both languages. Who gets a message reads from it what happened, what to do, and what to
// do if it was not them.

import type { MemberRole } from '@ringproof/contract/web/access.ts'
import type { Recipient } from '../domain/people/letters.ts'
import { linkLife } from '../domain/people/session.ts'
import { inEnglish, inRussian } from '../domain/values/period.ts'
import { type Letter, render } from './layout.ts'
import type { Mail } from './mailer.ts'

type Language = Letter['language']
export type Sender = { readonly name: string; readonly supportAddress: string }
type Texts = Pick<Letter, 'subject' | 'paragraphs' | 'notes'> & { readonly button: string }

export function signUpLetter(sender: Sender, to: Recipient, link: string): Mail {
  return letter(sender, to, link, {
    en: {
      subject: 'Confirm your e-mail',
      paragraphs: [`Somebody, most likely you, signed up at ${sender.name} with this address.`],
      button: 'Open the dashboard',
      notes: [
        `The link works once and for ${inEnglish(linkLife['sign-up'])}.`,
        'If it was not you, do nothing: without the link there is no account.',
      ],
    },
    ru: {
      subject: 'Подтвердите почту',
      paragraphs: [`С этим адресом зарегистрировались на ${sender.name}. Скорее всего, это были вы.`],
      button: 'Открыть личный кабинет',
      notes: [
        `Ссылка сработает один раз и действует ${inRussian(linkLife['sign-up'])}.`,
        'Если это не вы, ничего не делайте: без ссылки аккаунта не будет.',
      ],
    },
  })
}

export function knownEmailLetter(sender: Sender, to: Recipient, link: string): Mail {
  return letter(sender, to, link, {
    en: {
      subject: 'You already have an account',
      paragraphs: [
        `Somebody signed up at ${sender.name} with this address, which has an account. Nothing has changed.`,
      ],
      button: 'Sign in',
      notes: [
        'If you forgot the password, the sign-in page sends you a link.',
        'If it was not you, there is nothing to do.',
      ],
    },
    ru: {
      subject: 'У вас уже есть аккаунт',
      paragraphs: [
        `На ${sender.name} пытались зарегистрироваться с этим адресом, а аккаунт уже есть. Ничего не изменилось.`,
      ],
      button: 'Войти',
      notes: ['Если забыли пароль, страница входа пришлёт ссылку.', 'Если это не вы, делать ничего не нужно.'],
    },
  })
}

export function resetLetter(sender: Sender, to: Recipient, link: string): Mail {
  return letter(sender, to, link, {
    en: {
      subject: 'Set a new password',
      paragraphs: [`Somebody asked for a new password for your account at ${sender.name}.`],
      button: 'Set a new password',
      notes: [
        `The link works once and for ${inEnglish(linkLife.reset)}. All sessions end when the password changes; the second step stays on.`,
        'If it was not you, do nothing: the old password still works.',
      ],
    },
    ru: {
      subject: 'Новый пароль',
      paragraphs: [`Для вашего аккаунта на ${sender.name} запросили новый пароль.`],
      button: 'Задать новый пароль',
      notes: [
        `Ссылка сработает один раз и действует ${inRussian(linkLife.reset)}. Со сменой пароля закроются все сеансы, второй шаг останется.`,
        'Если это не вы, ничего не делайте: старый пароль работает.',
      ],
    },
  })
}

const roleNames: Readonly<Record<Language, Record<MemberRole, string>>> = {
  en: { owner: 'owner', developer: 'developer', accountant: 'accountant', viewer: 'viewer' },
  ru: { owner: 'владелец', developer: 'разработчик', accountant: 'бухгалтер', viewer: 'наблюдатель' },
}

export function invitationLetter(
  sender: Sender,
  to: Recipient,
  link: string,
  invited: { readonly by: string; readonly account: string | undefined; readonly role: MemberRole },
): Mail {
  const { by, account, role } = invited
  return letter(sender, to, link, {
    en: {
      subject: `Join an account at ${sender.name}`,
      paragraphs: [
        `${by} invites you to ${account === undefined ? 'an account' : `the account “${account}”`} at ${sender.name}. Your role: ${roleNames.en[role]}.`,
      ],
      button: 'Accept the invitation',
      notes: [
        `The link works once and for ${inEnglish(linkLife.invitation)}.`,
        'If you do not know who invites you, do nothing.',
      ],
    },
    ru: {
      subject: `Приглашение в аккаунт на ${sender.name}`,
      paragraphs: [
        `${by} приглашает вас в аккаунт${account === undefined ? '' : ` «${account}»`} на ${sender.name}. Ваша роль: ${roleNames.ru[role]}.`,
      ],
      button: 'Принять приглашение',
      notes: [
        `Ссылка сработает один раз и действует ${inRussian(linkLife.invitation)}.`,
        'Если не знаете, кто вас приглашает, ничего не делайте.',
      ],
    },
  })
}

export function operatorLetter(sender: Sender, to: Recipient, link: string): Mail {
  return letter(sender, to, link, {
    en: {
      subject: `You have been invited to operate ${sender.name}`,
      paragraphs: [
        `You have been invited to operate ${sender.name}. Set a password, then add a second step: the console opens only with one.`,
      ],
      button: 'Open the console',
      notes: [`The link works once and for ${inEnglish(linkLife.operator)}.`],
    },
    ru: {
      subject: `Доступ к пульту ${sender.name}`,
      paragraphs: [
        `Вам открыт пульт ${sender.name}. Задайте пароль и добавьте второй шаг: без него пульт не откроется.`,
      ],
      button: 'Открыть пульт',
      notes: [`Ссылка сработает один раз и действует ${inRussian(linkLife.operator)}.`],
    },
  })
}

export function passwordChangedLetter(sender: Sender, to: Recipient, link: string): Mail {
  return letter(sender, to, link, {
    en: {
      subject: 'Your password has changed',
      paragraphs: [`The password of your account at ${sender.name} has just changed, and all sessions were ended.`],
      button: 'Sign in',
      notes: ['If it was not you, set a new password at once: the sign-in page sends you a link.'],
    },
    ru: {
      subject: 'Пароль изменён',
      paragraphs: [`Пароль вашего аккаунта на ${sender.name} только что сменили, все сеансы закрыты.`],
      button: 'Войти',
      notes: ['Если это не вы, сразу задайте новый пароль: страница входа пришлёт ссылку.'],
    },
  })
}

function letter(sender: Sender, to: Recipient, link: string, texts: Readonly<Record<Language, Texts>>): Mail {
  const { button, ...rest } = texts[to.language]
  const { name: installation, supportAddress } = sender
  return render(to.email, {
    language: to.language,
    installation,
    supportAddress,
    ...rest,
    button: { text: button, link },
  })
}
