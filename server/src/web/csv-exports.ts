// Lists as CSV files: the filters of the list, and its rows. They contain masks, and codes only where the list shows them.

import { type EndpointName, type WebInput, webApi } from '@ringproof/contract/web/api.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditPage } from '../actions/installation/audit-log.ts'
import type { OwnReader, Visitor } from '../actions/people/visitor.ts'
import type { OwnRow } from '../actions/verifications/own-verifications-view.ts'
import type { VerificationPage } from '../actions/verifications/verifications.ts'
import { type AuditFilter, auditColumns, auditFilter } from '../domain/installation/audit-filter.ts'
import { customerColumns, fileRow, inCurrency, operatorColumns } from '../domain/verifications/shown-call.ts'
import type { VerificationFilter } from '../domain/verifications/verification-filter.ts'
import { csvPageRows, sendCsv } from './csv-pages.ts'
import { admit } from './gate.ts'
import { readerOf } from './handlers/core/handlers.ts'
import { callFilter } from './handlers/verifications/calls.ts'
import { verificationFilter } from './handlers/verifications/verification-filter.ts'

type OwnPage = { readonly verifications: readonly OwnRow[]; readonly nextBefore: number | null }

export type ExportedLists = {
  readonly listVerifications: (reader: OwnReader, filter: VerificationFilter, limit: number) => Promise<OwnPage>
  readonly listCalls: (filter: VerificationFilter, limit: number) => Promise<VerificationPage>
  readonly listAudit: (filter: AuditFilter, limit: number) => Promise<AuditPage>
  readonly currency: string
  readonly sellsCalls: () => Promise<boolean>
}

export function addCsvExports(
  app: FastifyInstance,
  { listVerifications, listCalls, listAudit, currency, sellsCalls }: ExportedLists,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const add = <Name extends EndpointName>(
    file: string,
    name: Name,
    send: (
      reply: FastifyReply,
      input: WebInput<Name>,
      about: { readonly visitor: Visitor | undefined; readonly soldIn: string | undefined },
    ) => FastifyReply,
  ) =>
    app.get(`/web/${file}`, { schema: { querystring: webApi[name].input } }, async (request, reply) => {
      const visitor = await visitorOf(request)
      admit(webApi[name], visitor)
      const soldIn = (await sellsCalls()) ? currency : undefined
      return send(reply, request.query as WebInput<Name>, { visitor, soldIn })
    })

  add('verifications.csv', 'verifications', (reply, input, { visitor, soldIn }) => {
    const columns = inCurrency(customerColumns, soldIn)
    const reader = readerOf(visitor)
    const filter = verificationFilter(input)
    return sendCsv(reply, 'verifications.csv', columns, filter.endId, async (endId) => {
      const { verifications, nextBefore } = await listVerifications(reader, { ...filter, endId }, csvPageRows)
      return { rows: verifications, next: nextBefore }
    })
  })

  add('calls.csv', 'calls', (reply, input, { soldIn }) => {
    const columns = inCurrency(operatorColumns, soldIn)
    const filter = callFilter(input)
    return sendCsv(reply, 'calls.csv', columns, filter.endId, async (endId) => {
      const { verifications, nextBefore } = await listCalls({ ...filter, endId }, csvPageRows)
      return { rows: verifications.map(fileRow), next: nextBefore }
    })
  })

  add('audit.csv', 'audit-log', (reply, input) => {
    const filter = auditFilter(input)
    return sendCsv(reply, 'audit.csv', auditColumns, filter.beforeMicros, async (beforeMicros) => {
      const { entries, nextBefore } = await listAudit({ ...filter, beforeMicros }, csvPageRows)
      return { rows: entries, next: nextBefore === undefined ? undefined : String(nextBefore) }
    })
  })
}
