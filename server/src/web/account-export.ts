// The account's data as a file, for its owner.

import { identityEndpoints } from '@ringproof/contract/web/identity.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/people/visitor.ts'
import type { AccountId } from '../domain/core/slot.ts'
import { Denial } from '../process/errors.ts'
import { admit } from './gate.ts'

export type ExportAccount = (accountId: AccountId) => Promise<Readonly<Record<string, unknown>>>

export function addAccountExport(
  app: FastifyInstance,
  exportAccount: ExportAccount,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  app.get('/web/account.json', async (request, reply) => {
    const visitor = await visitorOf(request)
    // It is the customer's to take along, not an operator's who looks.
    if (visitor?.view) throw new Denial('view-only')
    // The same people who may close it.
    admit({ ...identityEndpoints['close-account'], isGuarded: false }, visitor)
    if (!visitor?.membership) throw new Denial('forbidden')
    const text = JSON.stringify(await exportAccount(visitor.membership.accountId), null, 2)
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="account.json"')
      .send(text)
  })
}
