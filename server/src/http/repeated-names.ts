// The names that a JSON object gives more than once. Parsing keeps the last of them and tells nobody; which one a client
// meant, and which one somebody between us and the client looked at, is not for us to guess.

// The text of an object that has been parsed already: everything that is no name is skipped without being judged.
export function repeatedNames(text: string, parsed: object): readonly string[] {
  // Nearly always there are as many colons behind a quote as names, and then nothing is nested and no name stands twice.
  if (text.match(/"\s*:/g)?.length === Object.keys(parsed).length) return []
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  // Strings are taken whole, so that brackets within them do not count; one with a colon behind it is a name.
  for (const [token, word, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/gs)) {
    if (word === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (depth === 1 && colon !== undefined) {
      const name = JSON.parse(word) as string
      if (seen.has(name)) repeated.add(name)
      seen.add(name)
    }
  }
  return [...repeated]
}
