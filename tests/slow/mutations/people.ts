// Faults in what people do in the browser: signing in, sessions, messages.

import type { Mutation } from './mutation.ts'

const access = 'tests/integration/web-access.test.ts'
const signingIn = 'tests/integration/web-signing-in.test.ts'
const telegram = 'tests/integration/web-telegram.test.ts'
const sessions = 'tests/integration/web-sessions.test.ts'
const guessing = 'tests/slow/web-guessing.test.ts'
const lockedOut = 'tests/integration/web-guessing.test.ts'
const anonymous = 'tests/integration/web-anonymous.test.ts'
const rateLimits = 'tests/unit/web-rate-limits.test.ts'
const people = 'tests/unit/people.test.ts'

export const mutationsOfPeople: readonly Mutation[] = [
  {
    threat: 'T33: an open page keeps an unattended session alive',
    file: 'server/src/actions/people/visitor.ts',
    replace: 'if (isPresent) await touchWebSession',
    by: 'if (isPresent || !isPresent) await touchWebSession',
    test: sessions,
  },
  {
    threat: 'T33: a stranger signs up with an e-mail and waits for the click',
    file: 'server/src/actions/accounts/sign-up.ts',
    replace: "if (password === undefined) throw new Denial('password-needed', ['password'])",
    by: 'if (password === undefined) return',
    test: sessions,
  },
  {
    threat: 'T33: a session from before the second factor lives on',
    file: 'server/src/actions/people/totp.ts',
    replace: 'await deleteWebSessions(session, id, visitor.session.digest)',
    by: 'await deleteWebSessions(session, -1 as typeof id, visitor.session.digest)',
    test: sessions,
  },
  {
    threat: 'T31: a change from another site',
    file: 'server/src/web/origin.ts',
    replace: "site === 'same-origin'",
    by: "site !== 'none'",
    test: access,
  },
  {
    threat: 'role escalation: every member may do what owners may',
    file: 'server/src/web/gate.ts',
    replace: 'if (!rights.includes(access.right))',
    by: 'if (membership === undefined)',
    test: access,
  },
  {
    threat: 'a code is seen by every role but some',
    file: 'server/src/domain/verifications/code-visibility.ts',
    replace: "if (!rights.includes('codes')) return false",
    by: "if (rights.includes('help') && !rights.includes('administer')) return false",
    test: 'tests/unit/access.test.ts',
  },
  {
    threat: 'a tab of another account changes the account of the session',
    file: 'server/src/web/gate.ts',
    replace: "if (!isShown) throw new Denial('other-account')",
    by: 'isShown.valueOf()',
    test: sessions,
  },
  {
    threat: 'T33: signing out leaves the session',
    file: 'server/src/actions/people/sessions.ts',
    replace: '  await deleteWebSession(slots.globalDatabase, session.digest)\n}\n\n// One',
    by: '  await Promise.resolve([slots, session])\n}\n\n// One',
    test: signingIn,
  },
  {
    threat: 'T33: a session outlives its limit',
    file: 'server/src/actions/people/visitor.ts',
    replace: 'return ageSeconds > limits.ageSeconds || idleSeconds > limits.idleSeconds',
    by: 'return ageSeconds > limits.ageSeconds * 100 || idleSeconds > limits.idleSeconds * 100',
    test: signingIn,
  },
  {
    threat: 'T35: a known browser shares the count of strangers',
    file: 'server/src/actions/people/sign-in.ts',
    replace: '`sign-in ${email} in ${browser}`',
    by: '`sign-in ${email}`',
    test: lockedOut,
  },
  {
    threat: 'T35: signing out everywhere leaves browsers known',
    file: 'server/src/actions/people/sign-in.ts',
    replace: 'if (state === stateOf(user) && ',
    by: 'if (state !== undefined && ',
    test: lockedOut,
  },
  {
    threat: 'T35: an attempt counts before its turn',
    file: 'server/src/actions/people/sign-in.ts',
    replace: 'await passwords.matches(asker, password, stored, count)',
    by: 'await count().then(() => passwords.matches(asker, password, stored, async () => undefined))',
    test: lockedOut,
  },
  {
    threat: 'T35: known persons wait behind strangers',
    file: 'server/src/web/passwords.ts',
    replace: '(isKnown ? known : strangers)',
    by: '(isKnown && known === strangers ? known : strangers)',
    test: 'tests/unit/fair-line.test.ts',
  },
  {
    threat: 'T35: an e-mail that nobody has costs no hash',
    file: 'server/src/web/passwords.ts',
    replace: 'await count()',
    by: 'await count()\n        if (stored === undefined) return false',
    test: guessing,
  },
  {
    threat: 'T33: a passkey response signs in twice',
    file: 'server/src/actions/people/passkeys.ts',
    replace: "if (!isFirst) throw new Denial('wrong-code')",
    by: "if (!isFirst && signed === undefined) throw new Denial('wrong-code')",
    test: anonymous,
  },
  {
    threat: 'T17: links without a message leave rows',
    file: 'server/src/actions/people/passwords.ts',
    replace: 'if (!(await countMessage(deps, email, true))) return',
    by: 'await countMessage(deps, email, true)',
    test: anonymous,
  },
  {
    threat: 'a route without a rate limit',
    file: 'server/src/web/app.ts',
    replace: '    limit(deps, request)\n',
    by: '',
    test: rateLimits,
  },
  {
    threat: 'T17: a list of addresses as an e-mail',
    file: 'server/src/domain/people/email.ts',
    replace: 'const dotted = /^[a-z0-9',
    by: 'const dotted = /^[,a-z0-9',
    test: people,
  },
  {
    threat: 'T17: a link in the name of an account',
    file: 'server/src/domain/people/email.ts',
    replace: ' || leading.test(plain)',
    by: '',
    test: people,
  },
  {
    threat: 'T34: no limit on codes',
    file: 'server/src/domain/people/sign-in-throttle.ts',
    replace: 'export const codeTriesMax = 5',
    by: 'export const codeTriesMax = 500',
    test: telegram,
  },
  {
    threat: 'T34: a code of the app works twice',
    file: 'server/src/actions/people/second-step.ts',
    replace: 'await changeUser(session, user.id, { totpStep: step })',
    by: 'await changeUser(session, user.id, { totpStep: 0 })',
    test: signingIn,
  },
  {
    threat: 'T35: guessing is not slowed down',
    file: 'server/src/domain/people/sign-in-throttle.ts',
    replace: 'const freeFailures = 5',
    by: 'const freeFailures = 99',
    test: guessing,
  },
  {
    threat: 'T35: a known e-mail takes longer',
    file: 'server/src/web/handlers/people/signing-in.ts',
    replace: 'const evenMs = 300',
    by: 'const evenMs = 1',
    test: guessing,
  },
  {
    threat: "T36: the bot's token in the log",
    file: 'server/src/mail/telegram.ts',
    replace: "text.replaceAll(token, '***')",
    by: 'text',
    test: telegram,
  },
  {
    threat: 'T36, T37: tokens and keys in the log',
    file: 'server/src/web/app.ts',
    replace: "log.info({ request_id: request.id, route, http_status: reply.statusCode, ms }, 'web request completed')",
    by: "log.info({ request_id: request.id, route, body: request.body, ms }, 'web request completed')",
    test: signingIn,
  },
]
