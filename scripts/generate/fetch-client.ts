// Generates a client in one file, to copy instead of installing a package: the types of every method and a function on top of
// fetch. It does not retry and returns refusals as they are; @ringproof/client does more.

import { methods } from '@ringproof/contract/methods.ts'
import type { OpenApi } from './open-api.ts'
import { typescriptTypes } from './typescript-types.ts'

export function fetchClient(document: OpenApi): string {
  const { paths } = document
  const lines = methods.map((method) => {
    const { summary = '' } = paths[`/v1.0/${method}`]?.post ?? {}
    return `/** ${summary}. */\n${method}: (request: Requests['${method}']) => post('${method}', request),`
  })
  return `${typescriptTypes(document)}
/** The API refused the request: \`code\` is for programs, \`error\` for people. */
export type Refused = { status: false; error: string; code: number }

/** The methods at a URL such as https://ringproof.example. For servers only: the key can spend the account's money. */
export function createRingproof(baseUrl: string, key: string, serviceId: number | string) {
  const headers = { authorization: \`Bearer \${key}.\${serviceId}\`, 'content-type': 'application/json' }
  const post = async <M extends Method>(method: M, request: Requests[M]): Promise<ApiResponses[M] | Refused> => {
    const init = { method: 'POST', headers, body: JSON.stringify(request) }
    const response = await fetch(\`\${baseUrl}/v1.0/\${method}\`, init)
    return (await response.json()) as ApiResponses[M] | Refused
  }
  return {
${lines.join('\n')}
  }
}
`
}
