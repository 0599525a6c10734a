// What in a real installation lies outside of it: the authenticator app of the operator, and the page on which customers pay. A small server
// of the demo on loopback shows the current code, and reports payments as the page of a bank would. Only it knows both secrets.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paymentCallbackPath } from '@ringproof/contract/payments.ts'
import { codeOfStep } from '../../server/src/domain/people/totp.ts'
import { signedHeaders } from '../../server/src/webhooks/sign.ts'

export type Desk = {
  readonly url: string
  // Of the operator, for the next seconds.
  readonly code: () => string
  // As somebody pays on the page. Returns the status of the product's response.
  readonly pay: (account: number, amount: string, signal?: AbortSignal) => Promise<number>
  readonly close: () => void
}

type DeskSetup = {
  readonly totpSecret: Uint8Array
  readonly paymentSecret: string
  readonly currency: string
  // Of the server that takes reports of payments.
  readonly publicUrl: string
  // Where it listens; any port is 0.
  readonly host: string
  readonly port: number
}

const stepSeconds = 30

export async function openDesk(setup: DeskSetup): Promise<Desk> {
  const server = createServer((request, response) => {
    answer(setup, request, response).catch(() => reply(response, 500, 'It failed.'))
  })
  server.listen(setup.port, setup.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    code: () => currentCode(setup.totpSecret),
    pay: (account, amount, signal) => report(setup, account, amount, signal),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export function paymentPage(desk: Pick<Desk, 'url'>): string {
  return `${desk.url}/pay?account={account}&amount={amount}`
}

async function answer(setup: DeskSetup, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [account, amount] = [Number(searchParams.get('account')), searchParams.get('amount') ?? '']
  if (pathname === '/') return reply(response, 200, codePage(setup.totpSecret))
  if (pathname !== '/pay') return reply(response, 404, 'There is nothing here.')
  if (request.method !== 'POST') return reply(response, 200, payPage(account, amount, setup.currency))
  const status = await report(setup, account, amount)
  return reply(response, 200, status === 200 ? '<p>Paid. Close this page.</p>' : `<p>Refused with ${status}.</p>`)
}

async function report(
  { paymentSecret, currency, publicUrl }: DeskSetup,
  account: number,
  amount: string,
  signal?: AbortSignal,
): Promise<number> {
  const payment = randomUUID()
  const body = JSON.stringify({ account, amount, currency, payment })
  const headers = { 'content-type': 'application/json', ...signedHeaders([paymentSecret], payment, new Date(), body) }
  const { status } = await fetch(`${publicUrl}${paymentCallbackPath}`, {
    method: 'POST',
    headers,
    body,
    signal: signal ?? null,
  })
  return status
}

function currentCode(secret: Uint8Array): string {
  return codeOfStep(secret, Math.floor(Date.now() / 1_000 / stepSeconds))
}

function codePage(secret: Uint8Array): string {
  const seconds = Date.now() / 1_000
  const left = Math.ceil(stepSeconds - (seconds % stepSeconds))
  return `<meta http-equiv="refresh" content="${left}"><h1>${currentCode(secret)}</h1><p>The operator's code for ${left} s. Each works once.</p>`
}

function payPage(account: number, amount: string, currency: string): string {
  const sum = /^\d+(\.\d+)?$/.test(amount) ? `${amount} ${currency}` : ''
  return `<h1>A bank that is none</h1><form method="post"><p>${sum} for account ${account}</p><button>Pay</button></form>`
}

function reply(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`<!doctype html><title>Demo</title>${html}\n`)
}
