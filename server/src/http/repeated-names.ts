// The names that a JSON object gives more than once. Parsing keeps the last of them and tells nobody; which one a client
// meant, and which one somebody between us and the client looked at, is not for us to guess.

// The text of an object that has been parsed already: everything that is no name is skipped without being evaluated.
export function repeatedNames(text: string, parsed: object): readonly string[] {
  // Nearly always as many quotes have a colon behind them as names were found, and then no name stands twice. Names with an
  // escape are left out: of two that are the same, V8 sometimes reads one as another that it met in an earlier object.
  if (!text.includes('\\') && text.match(/"\s*:/g)?.length === Object.keys(parsed).length) return []
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
