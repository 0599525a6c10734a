// The content of /docs as Markdown at /docs.md, and an index at /llms.txt: for language models, and for people who paste
// pages into one.

import { refusals } from '@ringproof/contract/errors.ts'
import { examples } from '@ringproof/contract/examples.ts'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { type MethodParameters, methodParameters, type Parameter } from '@ringproof/contract/parameters.ts'
import { type About, curl, descriptions } from './docs-page.ts'

// The pages of the repository and the two rendered here, by URL path.
export function plainPages(about: About, docs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([
    ['/llms.txt', llmsText(about, docs)],
    ['/docs.md', referencePage(about)],
    ...[...docs].map(([path, text]) => [`/${path}`, text] as const),
  ])
}

// Follows llmstxt.org: a title, a summary, and links with descriptions.
function llmsText({ publicUrl, version }: About, docs: ReadonlyMap<string, string>): string {
  const pages = [...docs].filter(([path]) => path.endsWith('.md'))
  return `# Ringproof ${version}

> Phone-call verification. A person proves that a phone is theirs by a call that costs them nothing: the last four digits of
> the number that rings are the code, or a voice speaks it, or the person calls. An HTTP API with eight methods; every response
> is JSON.

Never send requests to numbers of people while trying things out: 79000000001 always succeeds, 79000000002 always fails, and
neither is called or charged. The key belongs on a server, never in a browser, an app or a log.

## Pages

- [Reference](${publicUrl}/docs.md): authentication, every method with its parameters and an example, every error
${pages.map(([path, text]) => `- [${titleOf(text)}](${publicUrl}/${path})`).join('\n')}
- [OpenAPI](${publicUrl}/openapi.json): the same for programs
`
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}

function referencePage(about: About): string {
  return `# Ringproof API ${about.version}

Every method is at \`${about.publicUrl}/v1.0/<method>\`, for GET with its parameters in the query and for POST with a JSON body
or a form. Responses are JSON. Two test numbers cost nothing: \`79000000001\` always succeeds,
\`79000000002\` always fails.

## Authentication

Show the secret key and the id of your service in one of three ways. Where two are given, they must agree.

- Header, any request: \`Authorization: Bearer KEY.SERVICE_ID\`
- Body of a POST: \`{"key": "KEY", "service_id": SERVICE_ID, …}\`
- Query of a GET: \`?key=KEY&service_id=SERVICE_ID&…\`

The key opens your account's money: call from your server, never from a browser or an app. Every response carries
\`X-Request-Id\`; quote it when you contact support.

${methods.map((method) => methodSection(method, about)).join('\n')}
${errorsSection()}`
}

function methodSection(method: Method, { publicUrl }: About): string {
  const { request, response } = examples[method]
  return `## ${method}

${descriptions[method].replaceAll(/<\/?code>/g, '`')}

${parametersList(methodParameters[method])}

\`\`\`sh
${curl(publicUrl, method, request)}
\`\`\`

\`\`\`json
${JSON.stringify(response, undefined, 2)}
\`\`\`
`
}

function parametersList({ required, optional }: MethodParameters): string {
  const line = ([name, { text, expects }]: [string, Parameter], word: string) =>
    `- \`${name}\` (${word}): ${'description' in text ? String(text.description) : ''} ${expects.en.replace(/^it takes/, 'Takes')}.`
  const lines = [
    ...Object.entries(required).map((entry) => line(entry, 'required')),
    ...Object.entries(optional).map((entry) => line(entry, 'optional')),
  ]
  return lines.length === 0 ? 'No parameters.' : lines.join('\n')
}

function errorsSection(): string {
  const rows = Object.values(refusals)
    .toSorted((a, b) => a.code - b.code)
    .map(({ code, status, en }) => `| ${code} | ${status} | ${en} |`)
  return `## Errors

A refusal is \`{"status": false, "error": "…", "code": …}\`; programs should check \`code\`. It creates nothing and charges
nothing. The sentence is Russian with \`Accept-Language: ru\`.

| Code | HTTP | Meaning |
|---|---|---|
${rows.join('\n')}
`
}
