// Generates the Bruno collection: a directory with one file per method.

import { methods } from '@ringproof/contract/methods.ts'
import { collectionRequest, type OpenApi } from './open-api.ts'

export function brunoCollection(document: OpenApi): [path: string, text: string][] {
  const requests = methods.map((method, at): [string, string] => {
    const { summary, body } = collectionRequest(document, method)
    const blocks = [
      block('meta', `name: ${method}`, 'type: http', `seq: ${at + 1}`),
      block('post', `url: {{baseUrl}}/v1.0/${method}`, 'body: json', 'auth: inherit'),
      block('body:json', body.replaceAll('\n', '\n  ')),
      ...(method === 'initCall' ? [block('vars:post-response', 'vendorId: res.body.vendor_id')] : []),
      block('docs', summary),
    ]
    return [`${method}.bru`, blocks.join('\n')]
  })
  return [
    ['bruno.json', JSON.stringify({ version: '1', name: 'Ringproof', type: 'collection' })],
    [
      'collection.bru',
      [block('auth', 'mode: bearer'), block('auth:bearer', 'token: {{key}}.{{serviceId}}')].join('\n'),
    ],
    [
      'environments/local.bru',
      `${block('vars', 'baseUrl: http://127.0.0.1:8080', 'serviceId: 1')}vars:secret [\n  key\n]\n`,
    ],
    ...requests,
  ]
}

function block(name: string, ...lines: string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}
