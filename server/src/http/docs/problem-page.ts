// Every problem of the Verify API on one page. The `type` of a problem is its address here.

import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { verifyDocument } from '@ringproof/contract/v2/openapi.ts'
import {
  operationProblems,
  type ProblemName,
  problemCode,
  problemStatus,
  problemTexts,
} from '@ringproof/contract/v2/problems.ts'
import { escapeHtml, inline, rowsTable } from './html.ts'
import { words } from './words.ts'

// Below /v2 where there is no operation.
const ofNoOperation = ['pathUnknown', 'methodNotAllowed'] as const satisfies readonly ProblemName[]

const operations = Object.keys(operationProblems) as (keyof typeof operationProblems)[]

const listed: readonly ProblemName[] = [
  ...new Set<ProblemName>([...Object.values(operationProblems).flat(), ...ofNoOperation]),
].toSorted((a, b) => problemStatus(a) - problemStatus(b) || problemCode(a).localeCompare(problemCode(b)))

export function problemPage(language: Language): string {
  const text = words[language]
  return `<article class="text">
<h1>${text.problems}</h1>
<p class="lead">${inline(text.problemsText)}</p>
${rowsTable(
  [text.problem, text.meaning],
  listed.map((name) => ({ id: problemCode(name), head: head(name), cell: cell(name, language) })),
)}
</article>`
}

// By code, for the search.
export function problemSentences(language: Language): readonly (readonly [code: string, sentence: string])[] {
  return listed.map((name) => [problemCode(name), sentenceOf(name, language)])
}

function head(name: ProblemName): string {
  const code = problemCode(name)
  return `<a href="#${code}"><code>${code}</code></a> <span class="quiet">HTTP&nbsp;${problemStatus(name)}</span>`
}

function cell(name: ProblemName, language: Language): string {
  return `<p><strong>${inline(problemTexts(name, language).title)}</strong></p>
<p>${inline(sentenceOf(name, language))}</p>
${errorLink(name, language)}<p class="quiet">${words[language].returnedBy}: ${returnedBy(name, language)}</p>`
}

function sentenceOf(name: ProblemName, language: Language): string {
  return problemTexts(name, language).detail ?? exampleSentence(name as RefusalName, language)
}

// A refusal of /v1.0 has a page that says what to do.
function errorLink(name: ProblemName, language: Language): string {
  if (!(name in refusals)) return ''
  const { code } = refusals[name as RefusalName]
  const text = words[language]
  return `<p><a href="/docs/${language}/errors/${code}">${text.fix}: ${text.error.toLowerCase()} ${code}</a></p>\n`
}

function returnedBy(name: ProblemName, language: Language): string {
  const own = operations.filter((operation) => operationProblems[operation].some((one) => one === name))
  if (own.length === 0) return words[language].noOperation
  if (own.length === operations.length) return words[language].everyOperation
  return own.map((operation) => `<code>${escapeHtml(requestLines.get(operation) ?? '')}</code>`).join(', ')
}

// Such as `POST /v2/verifications/{id}/check`, by operation.
const requestLines: ReadonlyMap<string, string> = new Map(
  Object.entries(verifyDocument('')['paths'] as Readonly<Record<string, Readonly<Record<string, object>>>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        'operationId' in operation ? [[String(operation.operationId), `${method.toUpperCase()} ${path}`] as const] : [],
      ),
  ),
)
