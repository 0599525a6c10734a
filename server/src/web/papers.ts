// Invoices and acts as pages to print. They have no script, and a policy that allows none.

import { createHash } from 'node:crypto'
import { paymentEndpoints } from '@ringproof/contract/web/payments.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShownAct, ShownInvoice } from '../actions/money/papers-view.ts'
import type { Visitor } from '../actions/people/visitor.ts'
import type { AccountId } from '../domain/core/slot.ts'
import { Denial } from '../process/errors.ts'
import { languageOf } from './assets.ts'
import { admit } from './gate.ts'
import { actPage, invoicePage } from './paper-page.ts'
import { paperStyle } from './paper-style.ts'

export type Papers = {
  readonly showInvoice: (accountId: AccountId, number: number) => Promise<ShownInvoice>
  readonly showAct: (accountId: AccountId, month: string) => Promise<ShownAct>
}

const styleDigest = createHash('sha256').update(paperStyle).digest('base64')
const policy = [
  `default-src 'none'`,
  `style-src 'sha256-${styleDigest}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

export function addPapers(
  app: FastifyInstance,
  { showInvoice, showAct, sellsCalls }: Papers & { readonly sellsCalls: () => Promise<boolean> },
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const accountOf = async (request: FastifyRequest): Promise<AccountId> => {
    if (!(await sellsCalls())) throw new Denial('not-found')
    const visitor = await visitorOf(request)
    admit(paymentEndpoints.invoices, visitor)
    if (!visitor?.membership) throw new Denial('forbidden')
    return visitor.membership.accountId
  }
  const send = (reply: FastifyReply, html: string) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
  app.get<{ Params: { number: string } }>('/web/invoices/:number', async (request, reply) => {
    const accountId = await accountOf(request)
    const { number } = request.params
    if (!/^[1-9]\d{0,8}$/.test(number)) throw new Denial('not-found')
    return send(reply, invoicePage(await showInvoice(accountId, Number(number)), languageOf(request.headers)))
  })
  app.get<{ Params: { month: string } }>('/web/acts/:month', async (request, reply) => {
    const accountId = await accountOf(request)
    return send(reply, actPage(await showAct(accountId, request.params.month), languageOf(request.headers)))
  })
}
