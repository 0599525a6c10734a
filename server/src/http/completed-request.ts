// A completed request for the API log. Undefined if it is not one of /v1.0, or of no known service.

import { type Method, methods } from '@ringproof/contract/methods.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isScenarioNumber, isTestNumber } from '../domain/numbers/test-number.ts'
import type { CompletedRequest } from '../domain/requests/api-request.ts'
import { notesOf } from './request-notes.ts'

const methodNames: ReadonlySet<string> = new Set(methods)

export function completedRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  endedMs: number,
): CompletedRequest | undefined {
  const notes = notesOf(request)
  const { apiMethod, startedMs, address, parameters, response, refused } = notes
  const apiClient = notes.apiClient ?? notes.guessedClient
  if (!apiClient) return undefined
  // The path of an unknown method may be anything, and is not kept.
  const method = methodNames.has(apiMethod) ? (apiMethod as Method) : 'unknown'
  if (method === 'unknown' && !(apiMethod === 'none' && request.url.startsWith('/v1.0'))) return undefined
  const { id, method: verb, headers } = request
  return {
    id,
    startedMs,
    endedMs,
    apiClient,
    isTest: apiClient.isTest || isToTestNumber(parameters),
    isGuess: notes.apiClient === undefined,
    method,
    verb,
    httpStatus: reply.statusCode,
    refused,
    address,
    auth: headers.authorization !== undefined ? 'header' : verb === 'GET' ? 'query' : 'body',
    userAgent: headers['user-agent'] ?? '',
    parameters,
    response,
  }
}

function isToTestNumber(parameters: CompletedRequest['parameters']): boolean {
  if (typeof parameters !== 'object') return false
  const phone = parameters.values.get('phone')
  const digits = typeof phone === 'string' || typeof phone === 'number' ? String(phone).replace(/^\+/, '') : ''
  return isTestNumber(digits) || isScenarioNumber(digits)
}
