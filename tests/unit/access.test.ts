// The table of rights: who sees codes by intent, and that a role which the table does not name may do nothing anywhere.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type MemberRole,
  memberRights,
  memberRoles,
  type OperatorRole,
  operatorRights,
  operatorRoles,
  viewRights,
} from '../../contract/src/web/access.ts'
import { webApi } from '../../contract/src/web/api.ts'
import type { Visitor } from '../../server/src/actions/people/visitor.ts'
import { readersOf } from '../../server/src/domain/notices/notice.ts'
import { minuteMs } from '../../server/src/domain/values/time.ts'
import { maySeeCode } from '../../server/src/domain/verifications/code-visibility.ts'
import { admit } from '../../server/src/web/gate.ts'

const seeCodes: { readonly members: Record<MemberRole, boolean>; readonly operators: Record<OperatorRole, boolean> } = {
  members: { owner: true, developer: true, accountant: true, viewer: false },
  operators: { admin: true, support: false, viewer: false },
}

const nowMs = Date.parse('2026-11-19T12:00:00Z')
const endedAgo = (minutes: number) => ({ isTest: false, endedAt: new Date(nowMs - minutes * minuteMs) })
const testCall = { isTest: true, endedAt: null }
const unknownRole = 'auditor'

test('a code is seen by the roles that may, ten minutes after the end or in a test call', () => {
  const all = [
    ...memberRoles.map((role) => [role, memberRights(role), seeCodes.members[role]] as const),
    ...operatorRoles.map((role) => [role, operatorRights(role), seeCodes.operators[role]] as const),
    ['an operator in a customer’s dashboard', viewRights, false] as const,
  ]
  for (const [role, rights, isSeen] of all) {
    assert.equal(maySeeCode(endedAgo(10), rights, nowMs), isSeen, role)
    assert.equal(maySeeCode(testCall, rights, nowMs), isSeen, role)
    assert.equal(maySeeCode(endedAgo(9), rights, nowMs), false, role)
    assert.equal(maySeeCode({ isTest: false, endedAt: null }, rights, nowMs), false, role)
  }
})

test('a role that the tables do not name sees no code and passes no gate', () => {
  assert.deepEqual([memberRights(unknownRole), operatorRights(unknownRole)], [[], []])
  assert.equal(maySeeCode(testCall, [...memberRights(unknownRole), ...operatorRights(unknownRole)], nowMs), false)
  const visitor = {
    session: { stage: 'signed-in', confirmedSecondsAgo: 0 },
    user: { operatorRole: unknownRole, totpSince: new Date(nowMs) },
    membership: { accountId: 64, role: unknownRole },
    rights: memberRights(unknownRole),
  } as unknown as Visitor
  const guarded = Object.entries(webApi).filter(
    ([, { access }]) => access.kind === 'member' || access.kind === 'operator',
  )
  assert(guarded.length > 100)
  for (const [name, endpoint] of guarded) {
    assert.throws(() => admit(endpoint, visitor), { error: 'forbidden' }, name)
  }
})

test('a notice goes to those who can do something about it, and a sign-in to the person who signed in', () => {
  assert.deepEqual(readersOf, {
    'low-balance': ['owner', 'accountant'],
    'failure-spike': ['owner', 'developer'],
    'webhook-failing': ['owner', 'developer'],
    'key-unused': ['owner', 'developer'],
    'new-sign-in': memberRoles,
  })
})

test('the database takes exactly the roles of the tables', () => {
  const folder = join(import.meta.dirname, '../../server/src/db/migrations')
  const sql = globSync('*.sql', { cwd: folder })
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  assert.deepEqual(checked(sql, 'operator_role'), operatorRoles)
  assert.deepEqual(checked(sql, 'role'), memberRoles)
})

// By the last CHECK of the column.
function checked(sql: string, column: string): readonly string[] {
  const [, list = ''] = [...sql.matchAll(new RegExp(`CHECK \\(${column} IN \\(([^)]*)\\)\\)`, 'g'))].at(-1) ?? []
  return list.split(', ').map((text) => text.slice(1, -1))
}
