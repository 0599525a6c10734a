// The SIP messages of a call as a capture file, for operators.

import { type OperatorRight, operatorRights } from '@ringproof/contract/web/access.ts'
import { callEndpoints } from '@ringproof/contract/web/calls.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Visitor } from '../actions/people/visitor.ts'
import type { VerificationId } from '../domain/core/slot.ts'
import { Denial } from '../process/errors.ts'
import { admit } from './gate.ts'

export type ExportMessages = (rights: readonly OperatorRight[], id: VerificationId) => Promise<Buffer | undefined>

export function addCallCapture(
  app: FastifyInstance,
  exportMessages: ExportMessages,
  visitorOf: (request: FastifyRequest) => Promise<Visitor | undefined>,
): void {
  const endpoint = callEndpoints.call
  app.get('/web/call.pcap', { schema: { querystring: endpoint.input } }, async (request, reply) => {
    const visitor = await visitorOf(request)
    admit(endpoint, visitor)
    const { id } = request.query as { readonly id: string }
    const file = await exportMessages(operatorRights(visitor?.user.operatorRole), Number(id) as VerificationId)
    if (!file) throw new Denial('not-found')
    return reply
      .type('application/vnd.tcpdump.pcap')
      .header('content-disposition', `attachment; filename="call-${id}.pcap"`)
      .send(file)
  })
}
