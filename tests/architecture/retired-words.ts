import type { Complaint, Law, Tree } from './read-tree.ts'

// Words this project does not use, each with what to write instead. They are archaic, private, or stand for two things;
// docs/reference/glossary.md has the words of the field. Names of files are text, too.
const retired: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bweb-hooks?\b/i, 'webhook'],
  [/\bhand-offs?\b|\bhand(?:ed|s|ing) off\b|handOff/i, 'dispatch'],
  [/\bwhoever\b/i, 'a client that, anyone who'],
  [/\bof (?:its|their|his|our|your) own\b/i, 'its own, a separate, a dedicated'],
  [/\bas ever\b/i, 'as before'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bdear(?:er)?\b/i, 'expensive'],
  [/\bcollector of garbage\b/i, 'GC'],
  [/\bslowest hundredth\b/i, 'p99'],
  [/\bhalf as much again\b/i, '1.5 times'],
  [/\bprocessors?\b/i, 'CPU'],
  [/\bcabinets?\b/i, 'dashboard'],
  [/\bfates?\b/i, 'scenario, outcome'],
  [/\bcrowd(?:s|ed)?\b|isCrowded|openCrowd/i, 'concurrency limit, saturated'],
  [/\bverdicts?\b/i, 'decision, outcome'],
  [/\bjudg(?:e|es|ed|ing)\b/i, 'evaluate, validate'],
  [/\bchances?\b/i, 'randomness, probability'],
  [/\bpatien(?:ce|t)\b/i, 'timeout'],
  [/\bstor(?:y|ies)\b/i, 'progress, events, description'],
  [/\bdeaf\b|\bhear(?:s|d|ing)?\b/i, 'receive, listen'],
  [/\bplant(?:s|ed|ing)?\b/i, 'mutation, seeded'],
  [/\bpretend(?:s|ed|ing)?\b/i, 'simulate'],
  [/\bwish(?:es|ed)?\b/i, 'request'],
  [/\btell(?:s|ing)?\b|\btold\b/i, 'report, notify, publish, distinguish, say'],
  [/\bunder way\b/i, 'in flight, running'],
  [/\bpots?\b/i, 'ledger account'],
  [/\btill\b/i, 'until; payments'],
  [/\bthe record\b|onRecord/i, 'the database'],
  [/\bnews\b/i, 'notification'],
  [/\btoys?\b/i, 'fixture'],
  [/\briddles?\b/i, 'say what it is'],
  [/\bnumber of (?:an?|the|your|its|another) (?:service|account|verification)\b/i, 'ID'],
  [/\bbegun\b|\bthrice\b|\bhitherto\b|\bthereof\b|\bwhereupon\b|\bwherefore\b|\bdwell/i, 'plain English'],
  [/\bnobody (?:hears|waits|knows|asks|looks|else)\b/i, 'no one, nothing'],
  [/\bnoMoney\b|\bOperatorMistake\b|\bcannotStart\b|\bourFault\b|\bphoneWrong\b|\bparameterWrong\b/, 'its new name'],
  [/\bverbNotAllowed\b|\brequestTooSlow\b|\bRefusalError\b|\bUnreadableAnswerError\b/, 'its new name'],
  [/\bCannotStartError\b|\bnumberTooSoon\b|\bnumberUsedUp\b|\btakenUp\b|taken_up|\btakeUp\b/, 'its new name'],
  [/\bcarryOut\b|\bunlessBusy\b|\brefuseFailing\b|\bnoteAnswer\b|\blayOutSite\b/, 'its new name'],
  [/\bnumberToken\b|\bisHere\b|\bNumberBook\b|\bNumberPicture\b|\bpictureOf\b/, 'its new name'],
  [/\bfindCaller\b|\bCallerCache\b|\bstartWaiting\b|\bproveWaits\b/, 'its new name'],
]

// The list itself, a text of others, and what npm writes.
const exempt = new Set(['tests/architecture/retired-words.ts', 'LICENSE', 'package-lock.json'])
const anyWord = new RegExp(retired.map(([word]) => word.source).join('|'), 'i')

export const retiredWordsLaw: Law = (tree) =>
  tree.files.filter((path) => !exempt.has(path)).flatMap((path) => complaintsOf(tree, path))

function complaintsOf(tree: Tree, path: string): Complaint[] {
  const text = tree.readText(path)
  if (text.includes('\0') || !(anyWord.test(text) || anyWord.test(path))) return []
  const inName = found(path).map((says): Complaint => ({ path, text: `is named so: ${says}` }))
  const inText = text.split('\n').flatMap((line, at) => found(line).map((says) => ({ path, line: at + 1, text: says })))
  return [...inName, ...inText]
}

function found(text: string): readonly string[] {
  return retired.flatMap(([word, instead]) => {
    const match = word.exec(text)?.[0]
    return match === undefined ? [] : [`says "${match}"; write: ${instead}`]
  })
}
