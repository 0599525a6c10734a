// Faults in keys, database rights and the log of actions.

import type { Mutation } from './mutation.ts'

const keyChecks = 'tests/integration/key-checks.test.ts'

export const mutationsOfRights: readonly Mutation[] = [
  {
    threat: 'a command writes with foreign keys',
    file: 'server/src/cli/core/context.ts',
    replace: 'await assertItsKeys(slots.databases, held)',
    by: 'await Promise.resolve(assertItsKeys)',
    test: keyChecks,
  },
  {
    threat: 'a process serves with foreign keys',
    file: 'server/src/start-server.ts',
    replace: 'await assertKeys(pools.all[0]?.databases ?? [], ',
    by: 'await assertKeys([], ',
    test: keyChecks,
  },
  {
    threat: 'setup replaces lost keys',
    file: 'server/src/cli/installation/install.ts',
    replace: 'if (faults.length > 0) throw',
    by: 'if (faults.length > 99) throw',
    test: keyChecks,
  },
  {
    threat: 'a host without the active key starts',
    file: 'server/src/domain/crypto/key-check.ts',
    replace: '.filter(({ number }) => number <= newest && !find(ours, number))',
    by: '.filter(({ number }) => number < newest && !find(ours, number))',
    test: keyChecks,
  },
  {
    threat: 'data of an older version is given to any keys',
    file: 'server/src/actions/installation/keys.ts',
    replace: 'const number = sealedWith(sample.sealed)',
    by: 'if (recordKeys) return []\n  const number = sealedWith(sample.sealed)',
    test: keyChecks,
  },
  {
    threat: 'a web process records money without a reason',
    file: 'server/src/db/rights.sql',
    replace: 'GRANT EXECUTE ON FUNCTION move_money TO ringproof_web;',
    by: 'GRANT EXECUTE ON FUNCTION move_money, record_payment TO ringproof_web;',
    test: 'tests/integration/roles.test.ts',
  },
  {
    threat: 'a right that nobody decided on',
    file: 'server/src/db/rights.sql',
    replace: 'GRANT SELECT ON virtual_phone_faults TO ringproof_webhooks;',
    by: 'GRANT SELECT ON virtual_phone_faults, users TO ringproof_webhooks;',
    test: 'tests/integration/roles.test.ts',
  },
  {
    threat: 'money moves by hand without a name',
    file: 'server/src/db/functions/move-money.sql',
    replace: " OR coalesce(trim(p_operator), '') = ''",
    by: '',
    test: 'tests/integration/role-limits.test.ts',
  },
  {
    threat: 'a web process makes operators without a trace',
    file: 'server/src/db/rights.sql',
    replace: 'UPDATE (name, language, password_hash,',
    by: 'UPDATE (name, operator_role, language, password_hash,',
    test: 'tests/integration/roles.test.ts',
  },
  {
    threat: 'a process can become the command line',
    file: 'deploy/compose/create-roles.sql',
    replace: 'IN ROLE ringproof_api, ringproof_web;',
    by: 'IN ROLE ringproof_api, ringproof_web, ringproof_operator;',
    test: 'tests/integration/logins.test.ts',
  },
  {
    threat: 'a container connects as another process',
    file: 'deploy/compose/compose.yaml',
    replace: 'RINGPROOF_DATABASE_URL: postgres://ringproof_calls_keeper_login:${DATABASE_CALLS_KEEPER_PASSWORD:?',
    by: 'RINGPROOF_DATABASE_URL: postgres://ringproof_cli:${DATABASE_CLI_PASSWORD:?',
    test: 'tests/unit/logins.test.ts',
  },
  {
    threat: 'a change of a member is not in the log',
    file: 'server/src/actions/people/members.ts',
    replace: 'await logByPerson(session, actor, by, { accountId, action, details: { email: member.email, role } })',
    by: 'await logByPerson(slots.globalDatabase, actor, by, { accountId, action, details: {} }).catch(() => undefined)',
    test: 'tests/integration/log-with-change.test.ts',
  },
  {
    threat: 'every key listens to webhooks',
    file: 'server/src/http/app.ts',
    replace: "passGate(edge, 'listen', request)",
    by: "passGate(edge, 'read', request)",
    test: 'tests/integration/listen.test.ts',
  },
  {
    threat: 'free previews without end',
    file: 'server/src/actions/numbers/check-numbers.ts',
    replace: 'const numbersDayMax = 10 * listMax',
    by: 'const numbersDayMax = 10_000 * listMax',
    test: 'tests/integration/web-numbers.test.ts',
  },
  {
    threat: 'a proxy on another machine is not named',
    file: 'server/src/http/proxy-warning.ts',
    replace: 'if (warned.has(peer) ||',
    by: "if (!peer.startsWith('127.') || warned.has(peer) ||",
    test: 'tests/unit/proxy-warning.test.ts',
  },
]
