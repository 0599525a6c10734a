// Somebody in a browser, without the browser: keeps the session cookie and calls the internal API.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type EndpointName,
  type WebInput,
  type WebOutput,
  type WebRefusal,
  webApi,
} from '@ringproof/contract/web/api.ts'
import { poll } from '../poll.ts'

export type Answer<T> = {
  readonly status: number
  readonly body: T
  readonly setCookie: string | null
  readonly setBrowser: string
}

export type BrowserVisitor = {
  // Throws unless it succeeds.
  readonly call: <Name extends EndpointName>(name: Name, input?: WebInput<Name>) => Promise<WebOutput<Name>>
  readonly refused: <Name extends EndpointName>(name: Name, input?: WebInput<Name>) => Promise<Answer<WebRefusal>>
  readonly send: (name: EndpointName, input: unknown, headers?: Record<string, string>) => Promise<Answer<unknown>>
  cookie: string
  // The cookie of a browser that has signed in before.
  browser: string
}

let requests = 0

// Each request comes from another address: a test sends more in a second than a person. Tests of those limits pass a header of their
// own. The server trusts this machine as a proxy.
export function createVisitor(base: string): BrowserVisitor {
  const visitor: BrowserVisitor = {
    cookie: '',
    browser: '',
    call: async (name, input) => {
      const { status, body } = await visitor.send(name, input ?? {})
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      return body as never
    },
    refused: async (name, input) => {
      const answer = await visitor.send(name, input ?? {})
      assert.notEqual(answer.status, 200, `${name} was not refused`)
      return answer as Answer<WebRefusal>
    },
    send: async (name, input, headers = {}) => {
      const { verb } = webApi[name]
      const query = verb === 'GET' ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : ''
      const response = await fetch(`${base}/web/${name}${query}`, {
        method: verb,
        headers: {
          ...(verb === 'POST' ? { 'content-type': 'application/json' } : {}),
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': nextAddress(),
          cookie: [visitor.cookie, visitor.browser].filter((one) => one !== '').join('; '),
          ...headers,
        },
        ...(verb === 'POST' ? { body: JSON.stringify(input) } : {}),
      })
      const cookies = response.headers.getSetCookie()
      const setBrowser = cookies.find((one) => one.startsWith('__Host-ringproof-browser=')) ?? ''
      const setCookie = cookies.find((one) => one !== setBrowser) ?? null
      visitor.browser = setBrowser.split(';')[0] || visitor.browser
      if (setCookie) visitor.cookie = setCookie.split(';')[0] ?? ''
      const text = await response.text()
      assert.ok(text.startsWith('{'), `${name}: ${response.status} ${text}`)
      return { status: response.status, body: JSON.parse(text), setCookie, setBrowser }
    },
  }
  return visitor
}

function nextAddress(): string {
  requests++
  return `127.${1 + (Math.floor(requests / 62_500) % 250)}.${Math.floor(requests / 250) % 250}.${(requests % 250) + 1}`
}

type Letter = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

// The newest message to this address whose subject matches, as soon as it is there.
export async function letterTo(dir: string, to: string, subject: RegExp): Promise<Letter> {
  return poll(`a message to ${to}`, () =>
    letters(dir).findLast((letter) => letter.to === to && subject.test(letter.subject)),
  )
}

export function letters(dir: string): readonly Letter[] {
  const names = (existsSync(dir) ? readdirSync(dir, { encoding: 'utf8' }) : []).filter((name) => name.endsWith('.json'))
  return names.toSorted().map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as Letter)
}

export function tokenIn({ text }: Letter): string {
  const [, token] = /#token=([\w-]+)/.exec(text) ?? []
  assert(token, 'the letter has no link')
  return token
}
