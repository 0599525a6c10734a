// Faults seeded in the web side, each in a copy of the tree: the test that guards against it must turn red.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyTree } from '../support/copied-tree.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

type Mutation = {
  readonly threat: string
  readonly file: string
  readonly replace: string
  readonly by: string
  readonly test: string
}

const access = 'tests/integration/web-access.test.ts'
const signingIn = 'tests/integration/web-signing-in.test.ts'
const telegram = 'tests/integration/web-telegram.test.ts'
const sessions = 'tests/integration/web-sessions.test.ts'
const guessing = 'tests/slow/web-guessing.test.ts'

const mutations: readonly Mutation[] = [
  {
    threat: 'T33: an open page keeps an unattended session alive',
    file: 'server/src/actions/find-visitor.ts',
    replace: 'if (isPresent) await touchWebSession',
    by: 'if (isPresent || !isPresent) await touchWebSession',
    test: sessions,
  },
  {
    threat: 'T33: a stranger signs up with an e-mail and waits for the click',
    file: 'server/src/actions/confirm-email.ts',
    replace: "if (password === undefined) throw new Denial('password-needed', ['password'])",
    by: 'if (password === undefined) return',
    test: sessions,
  },
  {
    threat: 'T33: a session from before the second factor lives on',
    file: 'server/src/actions/confirm-totp.ts',
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
    replace: '    if (!access.roles.some((role) => role === ownRole))',
    by: '    if (ownRole === undefined)',
    test: access,
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
    file: 'server/src/actions/end-session.ts',
    replace: '  await deleteWebSession(slots.globalDatabase, session.digest)\n}\n\n// One',
    by: '  await Promise.resolve([slots, session])\n}\n\n// One',
    test: signingIn,
  },
  {
    threat: 'T33: a session outlives its limit',
    file: 'server/src/actions/find-visitor.ts',
    replace: 'return ageSeconds > limits.ageSeconds || idleSeconds > limits.idleSeconds',
    by: 'return ageSeconds > limits.ageSeconds * 100 || idleSeconds > limits.idleSeconds * 100',
    test: signingIn,
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
    file: 'server/src/actions/take-second-step.ts',
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
    file: 'server/src/web/handlers/signing-in.ts',
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

for (const { threat, file, replace, by, test: guard } of mutations) {
  test(`${threat}: ${guard} turns red`, (t) => {
    const copy = temporaryDirectory(t)
    copyTree(copy)
    const path = join(copy, file)
    const source = readFileSync(path, 'utf8')
    assert.equal(source.split(replace).length, 2, `${file} has the text to replace once`)
    writeFileSync(path, source.replace(replace, by))
    const args = ['--disable-warning=ExperimentalWarning', '--test', guard]
    // Otherwise Node takes it for a part of this run, and runs nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' })
    assert.notEqual(status, 0, 'the fault was not found')
    // Red for the fault, not because the copy does not run.
    assert.match(stdout, /AssertionError/, stdout.slice(-2_000))
  })
}
