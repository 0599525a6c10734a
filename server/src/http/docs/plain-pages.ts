// The reference as Markdown at /docs.md, the guides as they are, and an index at /llms.txt: for language models, and for people
// who paste pages into one.

import { posix } from 'node:path'
import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { examples, webhookExample } from '@ringproof/contract/examples.ts'
import { methodTexts } from '@ringproof/contract/method-texts.ts'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { methodParameters } from '@ringproof/contract/parameters.ts'
import { responses } from '@ringproof/contract/responses.ts'
import { InboundCall, webhookHeaders } from '@ringproof/contract/webhook.ts'
import { Type } from 'typebox'
import { type Field, fieldsOf, parameterFields } from './fields.ts'
import { curl } from './request-samples.ts'
import { type About, titleOf } from './site.ts'
import { words } from './words.ts'

// The pages of the repository and the two rendered here, by URL path.
export function plainPages(about: About, docs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([
    ['/llms.txt', llmsText(about, docs)],
    ['/docs.md', referenceText(about)],
    ...[...docs].map(
      ([path, text]) => [`/${path}`, path.endsWith('.md') ? withoutDeadLinks(path, text, docs) : text] as const,
    ),
  ])
}

// A link to a file that is not served becomes its text.
function withoutDeadLinks(path: string, text: string, docs: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label: string, href: string) => {
    if (/^(https?:|#)/.test(href)) return link
    const target = posix.join(posix.dirname(path), href.split('#')[0] ?? '')
    return docs.has(target) ? link : label
  })
}

// Follows llmstxt.org: a title, a summary, and links with descriptions.
function llmsText({ publicUrl, version }: About, docs: ReadonlyMap<string, string>): string {
  const pages = [...docs].filter(([path]) => path.endsWith('.md'))
  return `# Ringproof ${version}

> Phone-call verification. A person proves that a phone is theirs by a call that costs them nothing: the last four digits of
> the number that rings are the code, or a voice speaks it, or the person calls. An HTTP API with eight methods; every response
> is JSON. Beside them is \`/v2\`, the Verify API: it compares the code itself and goes on to the next channel.

Never send requests to numbers of people while trying things out: 79000000001 always succeeds, 79000000002 always fails, and
neither is called or charged. The key belongs on a server, never in a browser, an app or a log.

## Pages

- [Reference](${publicUrl}/docs.md): authentication, every method with its parameters and an example, every error
${pages.map(([path, text]) => `- [${titleOf(text)}](${publicUrl}/${path})`).join('\n')}
- [OpenAPI](${publicUrl}/openapi.json): the same for programs
- [OpenAPI of the Verify API](${publicUrl}/openapi-v2.json): \`/v2\`, with every problem of every operation
`
}

const text = words.en

function referenceText({ publicUrl, version }: About): string {
  return `# Ringproof API ${version}

${text.startText.replace('{base}', publicUrl)}

${text.facts.map((fact) => `- ${fact}`).join('\n')}

## ${text.authentication}

${text.authenticationText}

- ${text.schemes.header}: \`Authorization: Bearer KEY.SERVICE_ID\`
- ${text.schemes.body}: \`{"key": "KEY", "service_id": SERVICE_ID, …}\`
- ${text.schemes.query}: \`?key=KEY&service_id=SERVICE_ID&…\`

${text.keyWarning}

## ${text.testNumbers}

${text.testNumbersText} ${text.testWarning}

- \`79000000001\`: ${text.testSucceeds}
- \`79000000002\`: ${text.testFails}

${text.testWait}

${methods.map((method) => methodText(method, publicUrl)).join('\n')}
${webhookText()}
${errorsText()}`
}

function methodText(method: Method, publicUrl: string): string {
  const { request, response } = examples[method]
  const fields = Object.keys(request).length === 0 ? undefined : request
  const parameters = parameterFields(methodParameters[method], 'en').map(
    (field) => `${fieldLine(field, field.isRequired ? text.required : text.optional)} ${field.expects}`,
  )
  return `## ${method}

${methodTexts[method].description.en}

${parameters.length === 0 ? text.noParameters : parameters.join('\n')}

\`\`\`sh
${curl(`${publicUrl}/v1.0/${method}`, fields)}
\`\`\`

${method === 'initRepeat' ? text.repeatResponse : text.response}:

${fieldLines(fieldsOf(responses[method], 'en'))}

\`\`\`json
${JSON.stringify(response, undefined, 2)}
\`\`\`
`
}

function fieldLines(fields: readonly Field[]): string {
  return fields.map((field) => fieldLine(field, field.isRequired ? '' : text.sometimes)).join('\n')
}

function fieldLine({ name, type, description, isDeprecated }: Field, note: string): string {
  const notes = [type, note, isDeprecated ? text.deprecated : ''].filter((one) => one !== '')
  return `- \`${name}\` (${notes.join(', ')}): ${description}`
}

function webhookText(): string {
  return `## ${text.webhooks}

${text.webhooksText}

${fieldLines(fieldsOf(InboundCall, 'en'))}

\`\`\`json
${JSON.stringify(webhookExample, undefined, 2)}
\`\`\`

${text.webhookHeaders}:

${fieldLines(fieldsOf(Type.Object({ ...webhookHeaders }), 'en'))}

${text.webhookRules.map((rule) => `- ${rule}`).join('\n')}
`
}

function errorsText(): string {
  const rows = (Object.keys(refusals) as RefusalName[])
    .toSorted((a, b) => refusals[a].code - refusals[b].code)
    .map((name) => `| ${refusals[name].code} | ${refusals[name].status} | ${exampleSentence(name, 'en')} |`)
  return `## ${text.errors}

${text.errorsText}

| Code | HTTP | Meaning |
|---|---|---|
${rows.join('\n')}
`
}
