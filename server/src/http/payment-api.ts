// What the operator's payment page reports, beside the contract: POST /payments/v1/callback, signed according to Standard Webhooks.
// A report that is not signed and one for an account that does not exist get the same response; the log says which it was.

import type { Sentences } from '@ringproof/contract/errors.ts'
import { minorDigits } from '@ringproof/contract/money-format.ts'
import { paymentCallbackPath, paymentLimits } from '@ringproof/contract/payments.ts'
import { requestFaults } from '@ringproof/contract/request-faults.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Report, TakenPayment } from '../actions/money/payments.ts'
import type { PaymentField } from '../domain/money/payment.ts'
import { Refusal } from '../process/errors.ts'
import type { Logger } from '../process/log/log.ts'
import { type Gate, rejectThrottledAddress } from './authenticate-request.ts'
import { notesOf } from './request-notes.ts'
import { unknownMethod } from './unknown-method.ts'

export type TakePayment = (report: Report) => Promise<TakenPayment>

type PaymentApiDeps = {
  readonly gate: Gate
  // Refuses an address that sends too much.
  readonly limitRate: (request: FastifyRequest) => void
  // The plain listener serves no callback: the response could be forged.
  readonly isAlternative: (request: FastifyRequest) => boolean
  readonly takePayment: TakePayment
  readonly currency: string
  readonly log: Logger
}

export function addPaymentApi(app: FastifyInstance, deps: PaymentApiDeps): void {
  const { gate, limitRate, isAlternative, takePayment, currency, log } = deps
  app.post(paymentCallbackPath, {
    onRequest: (request, _, done) => {
      notesOf(request).apiMethod = 'takePayment'
      if (isAlternative(request)) throw unknownMethod(request.url)
      rejectThrottledAddress(gate, request)
      limitRate(request)
      done()
    },
    handler: async (request, reply) => {
      const { address } = notesOf(request)
      const body = Buffer.isBuffer(request.body) ? request.body.toString() : ''
      const taken = await takePayment({ headers: request.headers, body, address })
      if (taken.outcome === 'recorded' || taken.outcome === 'repeated') {
        const { accountId, entryId, outcome } = taken
        log.info({ account_id: accountId, entry_id: entryId, outcome }, 'payment taken')
        return { status: true, repeated: outcome === 'repeated' }
      }
      log.warn({ request_id: request.id, reason: taken.outcome }, 'payment refused')
      if (taken.outcome === 'not-signed') gate.limits.noteFailure(address)
      return refuse(taken, currency, request, reply)
    },
  })
}

function refuse(taken: TakenPayment, currency: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { outcome } = taken
  if (outcome === 'malformed') throw new Refusal('malformedRequest', { fault: requestFaults.notObject })
  if (outcome === 'invalid') throw invalid(taken.field, fieldsIn(currency)[taken.field])
  if (outcome === 'other-payment') throw invalid('payment', otherPayment)
  if (outcome === 'too-much') throw invalid('amount', tooMuch)
  notesOf(request).code = 401
  return reply.status(401).send({ status: false, error: 'The report is refused.', code: 401 })
}

const otherPayment = {
  en: 'this payment was reported for another account or amount; nothing was changed',
  ru: 'об этом платеже сообщали с другим аккаунтом или суммой; ничего не изменено',
}
const tooMuch = { en: 'the balance would exceed its maximum', ru: 'баланс превысил бы наибольший возможный' }
const { least, most } = paymentLimits

const fieldsIn = (currency: string): Readonly<Record<PaymentField, Sentences>> => ({
  account: { en: 'an account ID as a number', ru: 'ID аккаунта числом' },
  amount: {
    en: `an amount as a text, decimals at most ${minorDigits(currency)}, from ${least} to ${most}`,
    ru: `сумма текстом, знаков после точки не больше ${minorDigits(currency)}, от ${least} до ${most}`,
  },
  currency: { en: `${currency}, the currency of this installation`, ru: `${currency}, валюта этой установки` },
  payment: {
    en: 'your ID of the payment, 1 to 100 characters',
    ru: 'ваш ID платежа, от 1 до 100 знаков',
  },
})

function invalid(parameter: PaymentField, expected: Sentences): Refusal {
  return new Refusal('invalidParameter', { parameter, expected })
}
