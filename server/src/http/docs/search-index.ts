// What the search finds: methods, fields, errors and sections of guides. The browser loads it when the search is opened.

import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { errorPages } from '@ringproof/contract/error-pages.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { methodTexts } from '@ringproof/contract/method-texts.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { methodParameters } from '@ringproof/contract/parameters.ts'
import { responses } from '@ringproof/contract/responses.ts'
import { InboundCall } from '@ringproof/contract/webhook.ts'
import { fieldsOf, parameterFields } from './fields.ts'
import { fieldAnchor } from './method-section.ts'
import { problemSentences } from './problem-page.ts'
import { allCodes } from './reference-page.ts'
import { words } from './words.ts'

// Title, place, URL, text.
type SearchEntry = readonly [title: string, place: string, url: string, text: string]

export function referenceEntries(language: Language): readonly SearchEntry[] {
  const text = words[language]
  const reference = `/docs/${language}`
  const sections: readonly (readonly [id: string, title: string, body: string])[] = [
    ['start', text.start, text.facts.join(' ')],
    ['authentication', text.authentication, `${text.authenticationText} Authorization Bearer key service_id`],
    ['test-numbers', text.testNumbers, `79000000001 79000000002 ${text.testNumbersText} ${text.testWait}`],
    ['first-call', text.firstCall, `${text.firstCallText} curl PHP Node Python Go`],
    ['webhook', text.webhooks, text.webhooksText],
    ['health', text.health, text.healthText],
    ['versions', text.versions, text.versionsText],
  ]
  return [
    ...sections.map(([id, title, body]): SearchEntry => [title, '', `${reference}#${id}`, plain(body)]),
    ...methods.flatMap((method) => methodEntries(method, language)),
    ...fieldsOf(InboundCall, language).map(
      ({ name, description }): SearchEntry => [
        name,
        text.webhooks,
        `${reference}#${fieldAnchor('webhook-body-', name)}`,
        plain(description),
      ],
    ),
    ...allCodes.map((code): SearchEntry => {
      const names = (Object.keys(refusals) as RefusalName[]).filter((name) => refusals[name].code === code)
      const sentences = names.map((name) => exampleSentence(name, language)).join(' ')
      return [`${code} ${errorPages[code].title[language]}`, text.errors, `${reference}/errors/${code}`, sentences]
    }),
    ...problemSentences(language).map(
      ([code, sentence]): SearchEntry => [code, text.problems, `${reference}/problems#${code}`, plain(sentence)],
    ),
  ]
}

function methodEntries(method: (typeof methods)[number], language: Language): readonly SearchEntry[] {
  const reference = `/docs/${language}`
  const { summary, description } = methodTexts[method]
  const parameters = parameterFields(methodParameters[method], language).map(
    (field): SearchEntry => [
      field.name,
      `${method}, ${words[language].parameters.toLowerCase()}`,
      `${reference}#${method}-parameter-${field.name}`,
      plain(field.description),
    ],
  )
  const fields = fieldsOf(responses[method], language).map(
    (field): SearchEntry => [
      field.name,
      `${method}, ${words[language].response.toLowerCase()}`,
      `${reference}#${fieldAnchor(`${method}-`, field.name)}`,
      plain(field.description),
    ],
  )
  const about = `${summary[language]}. ${description[language]}`
  return [[method, words[language].groups.methods, `${reference}#${method}`, plain(about)], ...parameters, ...fields]
}

const textCharsMax = 240

// The sections of a Markdown page, with the start of their text.
export function guideEntries(url: string, title: string, markdown: string, anchors: readonly string[]): SearchEntry[] {
  const sections = markdown
    .replaceAll(/^```[^]*?^```$/gm, '')
    .split(/^#{2,3} /m)
    .slice(1)
  return [
    [title, '', url, ''],
    ...sections.map((section, at): SearchEntry => {
      const [head = '', ...body] = section.split('\n')
      return [plain(head), title, `${url}#${anchors[at] ?? ''}`, plain(body.join(' ')).slice(0, textCharsMax)]
    }),
  ]
}

function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
