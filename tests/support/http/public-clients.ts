// What public clients of this API send, byte for byte, including the headers that their libraries add. They were
// written for another installation, and only the address is changed.

import type { TestService } from '../process/server.ts'
import { connectRaw } from './raw-http.ts'

export type Received = { readonly status: number; readonly json: Record<string, unknown> }

export async function sendBytes(base: string, bytes: string): Promise<Received> {
  const connection = connectRaw(base)
  connection.socket.write(bytes, 'latin1')
  const { status, body } = await connection.answered
  connection.socket.destroy()
  await connection.closed
  return { status, json: JSON.parse(Buffer.from(body, 'latin1').toString()) as Record<string, unknown> }
}

// i-panov/ucaller_php_client, over Guzzle 7 and curl: a form with the key in the header, empty fields omitted.
export function phpClient(base: string, { key, serviceId }: TestService) {
  const common = [`Host: ${new URL(base).host}`, 'User-Agent: GuzzleHttp/7']
  const bearer = `Authorization: Bearer ${key}.${serviceId}`
  const form = 'Content-Type: application/x-www-form-urlencoded'
  return {
    health: () => sendBytes(base, message('GET /health HTTP/1.1', [...common, bearer])),
    post: (method: string, body: string) =>
      sendBytes(base, message(`POST /v1.0/${method} HTTP/1.1`, [...common, form, bearer, lengthOf(body)], body)),
  }
}

// kebrick/pyucallerapi, over requests and urllib3. It misspells Content-Type, so that a JSON body comes without one.
export function pythonClient(base: string, { key, serviceId }: TestService) {
  const common = [`Host: ${new URL(base).host}`, 'Accept-Encoding: identity']
  const agent = 'User-Agent: python-urllib3/2.4.0'
  const own = ['ContentType: application/json', 'Accept: application/json', `Authorization: Bearer ${key}.${serviceId}`]
  return {
    health: () => sendBytes(base, message('GET //health HTTP/1.1', [...common, agent, ...own])),
    get: (method: string, query = '') =>
      sendBytes(base, message(`GET /v1.0/${method}/${query} HTTP/1.1`, [...common, agent, ...own])),
    post: (method: string, body: string) =>
      sendBytes(base, message(`POST /v1.0/${method}/ HTTP/1.1`, [...common, lengthOf(body), agent, ...own], body)),
  }
}

// An earlier version: the key in the query, and an invalid Content-Encoding on a request without a body.
export function oldPythonClient(base: string, { key, serviceId }: TestService) {
  const headers = [
    `Host: ${new URL(base).host}`,
    'Accept-Encoding: identity',
    'User-Agent: python-urllib3/1.26.18',
    'ContentType: application/json',
    'Accept: application/json',
    'Content-Encoding: utf-8',
  ]
  return {
    get: (method: string, query = '') =>
      sendBytes(base, message(`GET /v1.0/${method}?service_id=${serviceId}&key=${key}${query} HTTP/1.1`, headers)),
  }
}

// AleksandrMac/ucaller, over Go's net/http: codes are numbers without leading zeros, and getInfo uses the alias.
export function goClient(base: string, { key, serviceId }: TestService) {
  const headers = [`Host: ${new URL(base).host}`, 'User-Agent: Go-http-client/1.1', 'Accept-Encoding: gzip']
  return {
    get: (method: string, query = '') =>
      sendBytes(base, message(`GET /v1.0/${method}?service_id=${serviceId}&key=${key}${query} HTTP/1.1`, headers)),
  }
}

// skeeks/cms-ucaller-callcheck-handler, over yii2-httpclient and PHP streams, of PHP 8 and PHP 7: it declares a JSON
// body where there is none.
export function yiiHandler(base: string, { key, serviceId }: TestService) {
  const headers = [`Host: ${new URL(base).host}`, 'Connection: close', 'Content-Type: application/json; charset=UTF-8']
  return {
    initCall: (query: string, version: 'HTTP/1.1' | 'HTTP/1.0') =>
      sendBytes(base, message(`GET /v1.0/initCall?key=${key}&service_id=${serviceId}&${query} ${version}`, headers)),
  }
}

function message(first: string, headers: readonly string[], body = ''): string {
  return `${[first, ...headers].join('\r\n')}\r\n\r\n${body}`
}

function lengthOf(body: string): string {
  return `Content-Length: ${body.length}`
}
