// The reference page at /docs: one HTML document, rendered once from the contract. It has no scripts, loads no other
// resources and can be printed.

import { refusals } from '@ringproof/contract/errors.ts'
import { type Example, examples } from '@ringproof/contract/examples.ts'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { type MethodParameters, methodParameters, type Parameter } from '@ringproof/contract/parameters.ts'
import { docsStyle } from './docs-style.ts'

export type About = { readonly publicUrl: string; readonly version: string }

export function docsPage(about: About): string {
  const links = methods.map((method) => `<a href="#${method}"${isGone(method)}>${method}</a>`).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ringproof API</title>
<link rel="icon" href="data:,">
<style>${docsStyle}</style>
</head>
<body>
<nav aria-label="Contents">
<p class="name">Ringproof <small>${escapeHtml(about.version)}</small></p>
<a href="#start">Start here</a>
<p>Methods</p>
${links}
<p>More</p>
<a href="#errors">Errors</a>
<a href="/docs/guides/quickstart.md">Quickstart</a>
<a href="/docs.md">As Markdown</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
<main>
${startSection(about)}
${methods.map((method) => methodSection(method, about)).join('\n')}
${errorsSection()}
</main>
</body>
</html>
`
}

function startSection({ publicUrl }: About): string {
  return `<section id="start">
<h1>Verify a phone by a call</h1>
<p>Every method is at <code>${escapeHtml(publicUrl)}/v1.0/&lt;method&gt;</code>, for GET with its parameters in the query
and for POST with a JSON body or a form. Responses are JSON. Two test numbers cost nothing:
<code>79000000001</code> always succeeds, <code>79000000002</code> always fails.</p>
<h2>Authentication</h2>
<p>Show the secret key and the id of your service in one of three ways. Where two are given, they must agree.</p>
<table>
<tr><th>Header, any request</th><td><code>Authorization: Bearer KEY.SERVICE_ID</code></td></tr>
<tr><th>Body of a POST</th><td><code>{"key": "KEY", "service_id": SERVICE_ID, …}</code></td></tr>
<tr><th>Query of a GET</th><td><code>?key=KEY&amp;service_id=SERVICE_ID&amp;…</code></td></tr>
</table>
<p>The key opens your account's money: call from your server, never from a browser or an app.
Every response has an <code>X-Request-Id</code>; quote it when you contact support.</p>
</section>`
}

function methodSection(method: Method, { publicUrl }: About): string {
  const { request, response } = examples[method]
  return `<section id="${method}"${isGone(method)}>
<h2>${method}${method === 'initRepeat' ? ' <span class="tag">no longer supported</span>' : ''}</h2>
<p>${descriptions[method]}</p>
${parametersTable(methodParameters[method])}
<div class="pair">
<figure><figcaption>Request</figcaption><pre>${escapeHtml(curl(publicUrl, method, request))}</pre></figure>
<figure><figcaption>Response</figcaption><pre>${escapeHtml(JSON.stringify(response, undefined, 2))}</pre></figure>
</div>
</section>`
}

export const descriptions: Record<Method, string> = {
  initCall:
    'Calls the number. The last four digits of the caller ID are the code; with <code>voice</code> the code is spoken, with <code>mix</code> both. Pass a new <code>unique</code> for every verification and the same one when you retry: a retry never calls or charges twice.',
  getInfo:
    'The state of a verification. <code>call_status</code> is -1 while the call is in progress, then 1 (succeeded) or 0 (not completed). It is final within a minute.',
  initRepeat: 'Responds with code 405. Start a new verification with initCall instead.',
  inboundCallWaiting:
    'Returns a number for the user to call from the phone to be verified. The call is rejected unanswered, so it is free for the user, and a signed webhook is sent to <code>callback_url</code>.',
  checkPhone:
    'Parses a phone number as people write it and returns its country, operator and, in Russia, region and city. If the text is not a phone number, the response has <code>error</code> and nothing is charged.',
  getAccount: 'The account that the service belongs to and its last 50 logged actions, newest first.',
  getService: 'The service that the key belongs to. <code>service_status</code> is its id.',
  getBalance: 'The balance that the account can spend now: amounts held for calls in progress are already deducted.',
}

function parametersTable({ required, optional }: MethodParameters): string {
  const row = ([name, parameter]: [string, Parameter], isRequired: boolean) =>
    `<tr><th><code>${name}</code></th><td>${isRequired ? 'required' : 'optional'}</td><td>${describe(parameter)}</td></tr>`
  const rows = [
    ...Object.entries(required).map((entry) => row(entry, true)),
    ...Object.entries(optional).map((entry) => row(entry, false)),
  ]
  return rows.length === 0 ? '<p>No parameters.</p>' : `<table>${rows.join('')}</table>`
}

function describe({ text, expects }: Parameter): string {
  const description = 'description' in text ? String(text.description) : ''
  return `${escapeHtml(description)} <span class="quiet">${escapeHtml(expects.en.replace(/^it takes/, 'Takes'))}.</span>`
}

function errorsSection(): string {
  const rows = Object.values(refusals)
    .toSorted((a, b) => a.code - b.code)
    .map(
      ({ code, status, en, ru }) =>
        `<tr><th>${code}</th><td>${status}</td><td>${escapeHtml(en)}<br><span class="quiet" lang="ru">${escapeHtml(ru)}</span></td></tr>`,
    )
  return `<section id="errors">
<h2>Errors</h2>
<p>A refusal is <code>{"status": false, "error": "…", "code": …}</code>; programs should check <code>code</code>. It creates
nothing and charges nothing. The sentence is Russian with <code>Accept-Language: ru</code>.</p>
<table><tr><th>Code</th><th>HTTP</th><th>Meaning</th></tr>${rows.join('')}</table>
</section>`
}

export function curl(publicUrl: string, method: Method, request: Example['request']): string {
  const body =
    Object.keys(request).length === 0
      ? ''
      : ` \\\n  -d '${JSON.stringify(request, undefined, 2).replaceAll('\n', '\n  ')}'`
  const type = body === '' ? '' : ` \\\n  -H 'Content-Type: application/json'`
  return `curl ${publicUrl}/v1.0/${method} \\\n  -H "Authorization: Bearer $KEY.$SERVICE_ID"${type}${body}`
}

function isGone(method: Method): string {
  return method === 'initRepeat' ? ' class="gone"' : ''
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
