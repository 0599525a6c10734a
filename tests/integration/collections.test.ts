// Sends every request of the collection the way Postman would.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { Refused, responses } from '@ringproof/contract/responses.ts'
import { Compile } from 'typebox/compile'
import { ask } from '../support/http/ask.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const installation = await installPhones(0.3)
const { base } = await serve(installation)
const service = await makeService(installation)
const read = (path: string) => readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8')

type Request = { readonly url: string; readonly token: string; readonly body: string }

test("every request of the collection gets a response of its method's shape", async () => {
  const collection = JSON.parse(read('postman.json')) as {
    auth: { bearer: { value: string }[] }
    item: { name: string; request: { url: { raw: string }; body: { raw: string } } }[]
  }
  assert.deepEqual(
    collection.item.map(({ name }) => name),
    methods,
  )
  await sendAll((method) => {
    const { request } = collection.item.find(({ name }) => name === method) ?? assert.fail(method)
    return { url: request.url.raw, token: collection.auth.bearer[0]?.value ?? '', body: request.body.raw }
  })
})

// Each response has the shape of its method, or is a well-formed refusal.
async function sendAll(requestOf: (method: Method) => Request): Promise<void> {
  const variables: Record<string, string> = {
    baseUrl: base,
    key: service.key,
    serviceId: String(service.serviceId),
    $guid: randomUUID(),
  }
  const filled = (text: string) =>
    text.replaceAll(
      /\{\{(\S+?)\}\}/g,
      (_, name: string) => variables[name] ?? assert.fail(`the variable ${name} has no value`),
    )
  for (const method of methods) {
    const { url, token, body } = requestOf(method)
    const headers = { authorization: `Bearer ${filled(token)}`, 'content-type': 'application/json' }
    const { json } = await ask(filled(url), { method: 'POST', headers, body: filled(body) })
    const isRefused = method === 'initRepeat' || (method === 'inboundCallWaiting' && json['code'] === 5)
    const isShaped: boolean = Compile(isRefused ? Refused : responses[method]).Check(json)
    assert.equal(isShaped, true, `${method}: ${JSON.stringify(json)}`)
    if (method === 'initCall') variables['vendorId'] = String(json['vendor_id'])
  }
}
