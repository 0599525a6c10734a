// One method: what it does, parameters, response, errors, limits; beside it the samples.

import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { errorPages, type RefusalCode } from '@ringproof/contract/error-pages.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { examples } from '@ringproof/contract/examples.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { commonRefusals, methodRefusals } from '@ringproof/contract/method-errors.ts'
import { methodTexts } from '@ringproof/contract/method-texts.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import { methodParameters } from '@ringproof/contract/parameters.ts'
import { responses } from '@ringproof/contract/responses.ts'
import { type CodeContext, codeBlock, tabbedBlock } from './code-block.ts'
import { type Field, fieldsOf, parameterFields } from './fields.ts'
import { escapeHtml, inline, list, rowsTable } from './html.ts'
import { methodLimits } from './limits.ts'
import { requestSamples } from './request-samples.ts'
import { words } from './words.ts'

export function methodSection(method: Method, language: Language, context: CodeContext): string {
  const text = words[language]
  const { summary, description } = methodTexts[method]
  const { request, response } = examples[method]
  const isOff = method === 'initRepeat'
  const responseTitle = isOff ? text.repeatResponse : text.response
  return `<section class="pair" id="${method}">
<div>
<h2><a href="#${method}">${method}</a>${isOff ? ` <span class="chip off">${text.deprecated}, ${text.offByDefault}</span>` : ''}</h2>
<p class="lead">${summary[language]}</p>
<p>${inline(description[language])}</p>
<h3>${text.parameters}</h3>
${parametersTable(method, language)}
<h3>${text.response}</h3>
${fieldsTable(`${method}-`, fieldsOf(responses[method], language), language)}
<h3>${text.errors}</h3>
${errorLinks(method, language)}
<h3>${text.limits}</h3>
${list(methodLimits(method, language).map((limit) => inline(limit)))}
</div>
<div class="samples">
${tabbedBlock(`request-${method}`, `${text.request} ${method}`, requestSamples(context.publicUrl, method, request), context)}
${isOff ? codeBlock(`${text.defaultResponse}, HTTP 405`, { name: 'JSON', text: refusalBody('repeatNotSupported', language) }, context) : ''}
${codeBlock(responseTitle, { name: 'JSON', text: JSON.stringify(response, undefined, 2) }, context)}
</div>
</section>`
}

// The body of a refusal, with example values.
export function refusalBody(name: RefusalName, language: Language): string {
  const { code } = refusals[name]
  return JSON.stringify({ status: false, error: exampleSentence(name, language), code }, undefined, 2)
}

function parametersTable(method: Method, language: Language): string {
  const text = words[language]
  const fields = parameterFields(methodParameters[method], language)
  if (fields.length === 0) return `<p class="quiet">${text.noParameters}</p>`
  return rowsTable(
    [text.field, text.meaning],
    fields.map((field) => ({
      id: `${method}-parameter-${field.name}`,
      head: `${fieldName(field, language)}<span class="${field.isRequired ? 'required' : 'quiet'}">${field.isRequired ? text.required : text.optional}</span>`,
      cell: `${inline(field.description)} <span class="quiet">${escapeHtml(field.expects)}</span>`,
    })),
  )
}

// `idPrefix` makes the anchors of the rows unique on the page.
export function fieldsTable(idPrefix: string, fields: readonly Field[], language: Language): string {
  const text = words[language]
  return rowsTable(
    [text.field, text.meaning],
    fields.map((field) => ({
      id: fieldAnchor(idPrefix, field.name),
      head: `${fieldName(field, language)}${field.isRequired ? '' : `<span class="quiet">${text.sometimes}</span>`}`,
      cell: inline(field.description),
    })),
  )
}

export function fieldAnchor(idPrefix: string, name: string): string {
  return `${idPrefix}${name.replaceAll('[]', '')}`
}

function fieldName({ name, type, isDeprecated }: Field, language: Language): string {
  const shown = escapeHtml(name).replaceAll(/[_.]/g, '$&<wbr>')
  const tag = isDeprecated ? ` <span class="chip off">${words[language].deprecated}</span>` : ''
  return `<code>${isDeprecated ? `<s>${shown}</s>` : shown}</code>${tag}<span class="type">${escapeHtml(type)}</span>`
}

// The errors of this method with their titles, the common ones as bare codes.
function errorLinks(method: Method, language: Language): string {
  const own = codesOf(methodRefusals[method])
  const common = codesOf(commonRefusals).filter((code) => !own.includes(code))
  const rows = own.map((code) => `<li>${codeLink(code, language)} ${inline(errorPages[code].title[language])}</li>`)
  const others = common.map((code) => codeLink(code, language)).join(' ')
  return `${rows.length === 0 ? '' : `<ul class="codes">${rows.join('')}</ul>`}
<p class="quiet">${words[language].commonErrors}: ${others}</p>`
}

export function codeLink(code: RefusalCode, language: Language): string {
  return `<a class="code" href="/docs/${language}/errors/${code}">${code}</a>`
}

export function codesOf(names: readonly RefusalName[]): readonly RefusalCode[] {
  return [...new Set(names.map((name) => refusals[name].code))].toSorted((a, b) => a - b)
}
