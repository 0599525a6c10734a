import type { Complaint, Law } from './read-tree.ts'

// An installation has one currency, which is a setting: nothing that is shipped names one, except these.
const exempt = new Set([
  // The default.
  'server/config.default.env',
  'deploy/compose/.env.example',
  'server/src/db/migrations/0067_currency.sql',
  // Papers of Russian accounting.
  'server/src/domain/money/amount-in-words.ts',
])
const shipped = /^(?:bench|contract|deploy|examples|scripts|sdk|server|web)\//
// The contract's rub_balance is a name.
const currency = /(?<!t)rouble|ruble|kopeck|рубл|копе[ей]|(?<!\p{L})руб(?!\p{L})|[₽€£¥₸]|(?<![\p{L}_])RUB(?![\p{L}_])/iu

export const currencyLaw: Law = (tree) =>
  tree.files
    .filter((path) => shipped.test(path) && !exempt.has(path))
    .flatMap((path): Complaint[] => {
      const text = tree.readText(path)
      if (text.includes('\0')) return []
      return text.split('\n').flatMap((line, at) => {
        const found = currency.exec(line)?.[0]
        if (found === undefined) return []
        return [{ path, line: at + 1, text: `says "${found}": the currency is a setting, and Intl writes it` }]
      })
    })
