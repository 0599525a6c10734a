// Finds names that occur more than once in a JSON object. JSON.parse silently keeps the last one. We cannot know which one the
// client meant, or which one a proxy in between checked.

// Takes the text of an object that has already been parsed; only names are looked at.
export function repeatedNames(text: string, parsed: object): readonly string[] {
  // Fast path: with as many `":` as parsed names, no name is repeated. Not for text with escapes: of two equal names V8
  // sometimes reads one as a name it met in an earlier object.
  if (!text.includes('\\') && text.match(/"\s*:/g)?.length === Object.keys(parsed).length) return []
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  // Strings are matched whole, so that brackets inside them do not count; a string followed by a colon is a name.
  for (const [token, quoted, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/gs)) {
    if (quoted === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (depth === 1 && colon !== undefined) {
      const name = JSON.parse(quoted) as string
      if (seen.has(name)) repeated.add(name)
      seen.add(name)
    }
  }
  return [...repeated]
}
