import { sqlLists, type WordList } from './read-lists.ts'
import type { Law, Tree } from './read-tree.ts'

// A list of words is spelled once, whatever its order: in contract/src/lists if pages or the contract need it, else in the domain.
// Migrations spell theirs again; tests/integration/database-lists.test.ts compares them.

const wordsMin = 3
// Shorter ones that are lists, too.
const pairs = new Set(['en ru'])

// By their words in alphabetical order.
const exempt: { words: string; why: string }[] = [
  {
    words: 'idempotency_keys ladders ledger verifications',
    why: 'drop_old_partition() runs as the owner and trusts no argument',
  },
  { words: 'p r v', why: 'kinds of relations in PostgreSQL' },
]

const own = 'tests/architecture/list-law.ts'

export const listLaw: Law = (tree) => {
  const spellings = Map.groupBy(
    spelledIn(tree).filter(({ words }) => isList(words)),
    ({ path, words }) => `${groupOf(path)} ${keyOf(words)}`,
  )
  const repeated = [...spellings.values()].filter((of) => of.length > 1)
  const isExempt = ({ words }: WordList) => exempt.some((one) => one.words === keyOf(words))
  const unused = exempt.filter((one) => !repeated.some(([first]) => first && keyOf(first.words) === one.words))
  return [
    ...repeated.flatMap(([first, ...others]) => {
      if (!first || isExempt(first)) return []
      const text = `spells ${keyOf(first.words)} again: the list is at ${first.path}:${first.line}`
      return others.map(({ path, line }) => ({ path, line, text }))
    }),
    ...(tree.files.includes(own) ? unused.map(({ words }) => ({ path: own, text: `exempts ${words} in vain` })) : []),
  ]
}

type Spelling = WordList & { readonly path: string }

// In the order of their folders, so that the contract has the first spelling.
function spelledIn(tree: Tree): Spelling[] {
  const sql = tree.files.filter(
    (path) => /^server\/src\/db\/(functions\/.*|rights)\.sql$/.test(path) && !path.endsWith('/rules.sql'),
  )
  return [
    ...tree.modules
      .filter(({ path }) => /^(contract|scripts|sdk|server|web)\//.test(path))
      .flatMap(({ path, lists }) => lists.map((list) => ({ ...list, path }))),
    ...sql.flatMap((path) => sqlLists(tree.readText(path)).map((list) => ({ ...list, path }))),
  ]
}

// The SDK may import nothing.
function groupOf(path: string): string {
  return path.startsWith('sdk/') ? 'sdk' : 'product'
}

// A word that stands there twice is a weight.
function isList(words: string[]): boolean {
  const areWords = words.every((word) => /^[\w-]*$/.test(word)) && new Set(words).size === words.length
  return areWords && (words.length >= wordsMin || pairs.has(keyOf(words)))
}

function keyOf(words: string[]): string {
  return words.toSorted().join(' ')
}
