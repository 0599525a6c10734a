// One page per error code, and the list of all.

import { errorAdvice } from '@ringproof/contract/error-advice.ts'
import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { errorPages, type RefusalCode } from '@ringproof/contract/error-pages.ts'
import { errorSettings, settingsAddress } from '@ringproof/contract/error-settings.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { commonRefusals, methodRefusals } from '@ringproof/contract/method-errors.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { type CodeContext, codeBlock } from './code-block.ts'
import { escapeHtml, inline } from './html.ts'
import { codesOf, refusalBody } from './method-section.ts'
import { allCodes, errorsTable, statusOf } from './reference-page.ts'
import { words } from './words.ts'

export function errorListPage(language: Language): string {
  const text = words[language]
  return `<article class="text">
<h1>${text.errors}</h1>
<p class="lead">${inline(text.errorsText)}</p>
${errorsTable(language)}
</article>`
}

export function errorPage(code: RefusalCode, language: Language, context: CodeContext): string {
  const text = words[language]
  const { title, cause, retry } = errorPages[code]
  const names = namesOf(code)
  const example = names[0] === undefined ? '' : refusalBody(names[0], language)
  return `<article class="text error">
<p class="up"><a href="/docs/${language}/errors">${text.allErrors}</a></p>
<p class="facts"><span class="chip failed">${text.error} ${code}</span> <span class="chip">HTTP ${statusOf(code)}</span></p>
<h1>${inline(title[language])}</h1>
<p class="lead">${inline(cause[language])}</p>
<h2>${text.retry}</h2>
<p class="retry ${retry}">${inline(text.retries[retry])}</p>
<h2>${text.fix}</h2>
${names.map((name) => variant(name, language)).join('\n')}
<h2>${text.returnedBy}</h2>
<p>${returnedBy(code, language)}</p>
<h2>${text.example}</h2>
${codeBlock(`HTTP ${statusOf(code)}`, { name: 'JSON', text: example }, context)}
${neighbours(code, language)}
</article>`
}

function namesOf(code: RefusalCode): readonly RefusalName[] {
  return (Object.keys(refusals) as RefusalName[]).filter((name) => refusals[name].code === code)
}

function variant(name: RefusalName, language: Language): string {
  const text = words[language]
  const advice = errorAdvice[name]
  return `<div class="variant"><p class="says">${escapeHtml(exampleSentence(name, language))}</p>
<p>${inline(advice[language])}</p>
${settingLink(name, language)}<p class="quiet">${text.fixableBy}: ${text.fixers[advice.by]}</p></div>`
}

// To the setting in the dashboard that lifts the refusal.
function settingLink(name: RefusalName, language: Language): string {
  const settings = errorSettings[name]
  if (!settings) return ''
  return `<p><a class="setting" href="${settingsAddress(settings)}">${words[language].openSetting}</a></p>\n`
}

function returnedBy(code: RefusalCode, language: Language): string {
  if (codesOf(commonRefusals).includes(code)) return words[language].everyMethod
  const own = methods.filter((method) => codesOf(methodRefusals[method]).includes(code))
  if (own.length === 0) return words[language].everyMethod
  return own.map((method) => `<a href="/docs/${language}#${method}"><code>${method}</code></a>`).join(', ')
}

function neighbours(code: RefusalCode, language: Language): string {
  const at = allCodes.indexOf(code)
  const link = (other: RefusalCode | undefined, arrow: 'previous' | 'next') =>
    other === undefined
      ? '<span></span>'
      : `<a class="${arrow}" href="/docs/${language}/errors/${other}"><span class="code">${other}</span> ${inline(errorPages[other].title[language])}</a>`
  return `<p class="neighbours">${link(allCodes[at - 1], 'previous')}${link(allCodes[at + 1], 'next')}</p>`
}
