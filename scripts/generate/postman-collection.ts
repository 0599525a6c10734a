// Generates the Postman collection (format 2.1).

import { methods } from '@ringproof/contract/methods.ts'
import { collectionRequest, type OpenApi } from './open-api.ts'

export function postmanCollection(document: OpenApi): string {
  return JSON.stringify({
    info: {
      name: 'Ringproof',
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}.{{serviceId}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
      { key: 'serviceId', value: '1' },
      { key: 'key', value: '' },
      { key: 'vendorId', value: '' },
    ],
    item: methods.map((method) => itemOf(document, method)),
  })
}

function itemOf(document: OpenApi, method: string): unknown {
  const { summary, body } = collectionRequest(document, method)
  const keepId = ["pm.collectionVariables.set('vendorId', pm.response.json().vendor_id)"]
  return {
    name: method,
    ...(method === 'initCall'
      ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepId } }] }
      : {}),
    request: {
      method: 'POST',
      description: summary,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      url: { raw: `{{baseUrl}}/v1.0/${method}`, host: ['{{baseUrl}}'], path: ['v1.0', method] },
      body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
    },
  }
}
