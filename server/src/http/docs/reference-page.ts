// The reference at /docs: one page with everything that a client of the API needs.

import { errorPages, type RefusalCode } from '@ringproof/contract/error-pages.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { webhookExample } from '@ringproof/contract/examples.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { Health, Root } from '@ringproof/contract/responses.ts'
import { InboundCall, webhookHeaders } from '@ringproof/contract/webhook.ts'
import { Type } from 'typebox'
import { type CodeContext, codeBlock, type Sample, tabbedBlock } from './code-block.ts'
import { fieldsOf } from './fields.ts'
import { urlOfGuide } from './guides.ts'
import { escapeHtml, inline, list, rowsTable } from './html.ts'
import { codeLink, codesOf, fieldsTable, methodSection } from './method-section.ts'
import { words } from './words.ts'

// The whole-program samples of examples/, by language.
export type ProgramSamples = { readonly call: readonly Sample[]; readonly webhook: readonly Sample[] }

export function referencePage(language: Language, samples: ProgramSamples, context: CodeContext): string {
  return [
    hero(language),
    startSection(language, context),
    firstCallSection(language, samples.call, context),
    ...methods.map((method) => methodSection(method, language, context)),
    webhookSection(language, samples.webhook, context),
    errorsSection(language),
    healthSection(language),
    versionsSection(language),
  ].join('\n')
}

function hero(language: Language): string {
  const { hero: title, heroText, heroCaller } = words[language]
  return `<section class="hero" id="top">
<div><h1>${title}</h1><p class="lead">${heroText}</p></div>
<p class="handset"><span>${heroCaller}</span><span class="number">7 000 000 <mark>0417</mark></span></p>
</section>`
}

function startSection(language: Language, { publicUrl }: CodeContext): string {
  const text = words[language]
  const { schemes } = text
  return `<section id="start">
<h2><a href="#start">${text.start}</a></h2>
<p>${inline(text.startText.replace('{base}', publicUrl))}</p>
${list(text.facts.map((fact) => inline(fact)))}
<h3 id="authentication">${text.authentication}</h3>
<p>${text.authenticationText}</p>
${rowsTable(
  [text.scheme, text.form],
  [
    { head: schemes.header, cell: '<code>Authorization: Bearer KEY.SERVICE_ID</code>' },
    { head: schemes.body, cell: '<code>{"key": "KEY", "service_id": SERVICE_ID, …}</code>' },
    { head: schemes.query, cell: '<code>?key=KEY&amp;service_id=SERVICE_ID&amp;…</code>' },
  ],
)}
<p class="warn">${text.keyWarning}</p>
<h3 id="test-numbers">${text.testNumbers}</h3>
<p>${text.testNumbersText}</p>
${rowsTable(
  [text.testNumber, text.meaning],
  [
    { head: '<code>79000000001</code>', cell: inline(text.testSucceeds) },
    { head: '<code>79000000002</code>', cell: inline(text.testFails) },
  ],
)}
<p>${inline(text.testWait)} <a href="${urlOfGuide('/guides/test-phones', language)}">${text.testWaitMore}</a></p>
<p class="warn">${text.testWarning}</p>
</section>`
}

function firstCallSection(language: Language, samples: readonly Sample[], context: CodeContext): string {
  const { firstCall, firstCallText } = words[language]
  return `<section id="first-call">
<h2><a href="#first-call">${firstCall}</a></h2>
<p>${inline(firstCallText)}</p>
${tabbedBlock('first', firstCall, samples, context)}
</section>`
}

function webhookSection(language: Language, samples: readonly Sample[], context: CodeContext): string {
  const text = words[language]
  const example = JSON.stringify(webhookExample, undefined, 2)
  return `<section class="pair" id="webhook">
<div>
<h2><a href="#webhook">${text.webhooks}</a></h2>
<p>${inline(text.webhooksText)} <a href="${urlOfGuide('/guides/webhooks', language)}">${text.webhookMore}</a></p>
<h3>${text.webhookBody}</h3>
${fieldsTable('webhook-body-', fieldsOf(InboundCall, language), language)}
<h3>${text.webhookHeaders}</h3>
${fieldsTable('webhook-header-', fieldsOf(Type.Object({ ...webhookHeaders }), language), language)}
<h3>${text.webhookRetries}</h3>
${list(text.webhookRules.map((rule) => inline(rule)))}
</div>
<div class="samples">
${codeBlock(text.webhookBody, { name: 'JSON', text: example }, context)}
${tabbedBlock('receiver', text.receiver, samples, context)}
</div>
</section>`
}

function errorsSection(language: Language): string {
  const text = words[language]
  return `<section id="errors">
<h2><a href="#errors">${text.errors}</a></h2>
<p>${inline(text.errorsText)}</p>
${errorsTable(language)}
</section>`
}

export function errorsTable(language: Language): string {
  const text = words[language]
  return rowsTable(
    [text.code, text.meaning],
    allCodes.map((code) => ({
      head: codeLink(code, language),
      cell: `${escapeHtml(errorPages[code].title[language])} <span class="quiet">HTTP&nbsp;${statusOf(code)}</span>`,
    })),
  )
}

export const allCodes: readonly RefusalCode[] = codesOf(Object.keys(refusals) as RefusalName[])

// Code 1 has a status for each way in which a request cannot be read; the first is the usual one.
export function statusOf(code: RefusalCode): number {
  return Object.values(refusals).find((refusal) => refusal.code === code)?.status ?? 500
}

function healthSection(language: Language): string {
  const { health, healthText } = words[language]
  return `<section id="health">
<h2><a href="#health">${health}</a></h2>
<p>${inline(healthText)}</p>
<h3>GET /health</h3>
${fieldsTable('health-', fieldsOf(Health, language), language)}
<h3>GET /</h3>
${fieldsTable('root-', fieldsOf(Root, language), language)}
</section>`
}

function versionsSection(language: Language): string {
  const { versions, versionsText } = words[language]
  return `<section id="versions">
<h2><a href="#versions">${versions}</a></h2>
<p>${inline(versionsText)}</p>
</section>`
}
