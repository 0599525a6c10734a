// People of every kind for tests of the web side, made through the front door.

import assert from 'node:assert/strict'
import type { MemberRole, OperatorRole } from '@ringproof/contract/web/access.ts'
import { codeOfStep } from '../../../server/src/domain/people/totp.ts'
import type { Cli } from '../process/cli-in-process.ts'
import { type BrowserVisitor, createVisitor, letterTo, tokenIn } from './visitor.ts'

export type Site = { readonly base: string; readonly mailDir: string }
export type Person = { readonly visitor: BrowserVisitor; readonly email: string }

export const password = 'tidal lamp on wheels'

let people = 0

export function newEmail(): string {
  return `person${people++}@example.org`
}

// The owner of a new account.
export async function signUp({ base, mailDir }: Site, language: 'en' | 'ru' = 'en'): Promise<Person> {
  const email = newEmail()
  const visitor = createVisitor(base)
  const form = { email, password, accountName: 'My shop', language, acceptsTerms: true, timeZone: 'Asia/Almaty' }
  await visitor.call('sign-up', form)
  await visitor.call('confirm-email', { token: tokenIn(await letterTo(mailDir, email, /Confirm|Подтвердите/)) })
  return { visitor, email }
}

export async function signIn({ base }: Site, email: string): Promise<BrowserVisitor> {
  const visitor = createVisitor(base)
  await visitor.call('sign-in', { email, password })
  return visitor
}

export async function joinAs(site: Site, owner: BrowserVisitor, role: MemberRole): Promise<Person> {
  const email = newEmail()
  await owner.call('invite-member', { email, role, language: 'en' })
  const token = tokenIn(await letterTo(site.mailDir, email, /^Join/))
  const visitor = createVisitor(site.base)
  await visitor.call('accept-invitation', { token, password, name: '', language: 'en' })
  return { visitor, email }
}

// By the link that the command prints; with an authenticator app unless a test leaves it out.
export async function operatorAs(
  base: string,
  cli: Cli,
  role: OperatorRole,
  hasFactor = true,
): Promise<BrowserVisitor> {
  const { link } = await cli.json<{ link: string }>('operators', 'create', '--email', newEmail(), '--role', role)
  const visitor = createVisitor(base)
  const token = link.split('#token=')[1] ?? ''
  await visitor.call('accept-invitation', { token, password, name: '', language: 'en' })
  if (hasFactor) await addTotp(visitor)
  return visitor
}

// Turns the authenticator app on. Returns what the app would show in a step from now; each step can be used once.
export async function addTotp(visitor: BrowserVisitor): Promise<(stepsFromNow: number) => string> {
  const { secret } = await visitor.call('start-totp')
  const bytes = fromBase32(secret)
  const stepNow = () => Math.floor(Date.now() / 30_000)
  let step = stepNow()
  // The code of the step before is too old if a step has passed while it was sent.
  while ((await visitor.send('confirm-totp', { code: codeOfStep(bytes, step - 1) })).status !== 200) {
    assert.notEqual(stepNow(), step, 'the code was refused')
    step = stepNow()
  }
  return (stepsFromNow) => codeOfStep(bytes, step + stepsFromNow)
}

export function fromBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
