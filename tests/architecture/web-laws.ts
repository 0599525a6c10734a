import type { Law } from './read-tree.ts'

// Laws of the web pages: what may enter a browser, and where its words come from.

const pages = 'web/src/'
const routes = 'web/src/routes.tsx'
// Loads the words of a screen, in the language of the page.
const wordLoader = 'web/src/words/words.ts'
const wordFile = /^(web\/src\/.+[./-])(en|ru)\.ts$/
const contractPackage = '@ringproof/contract'

// Files of the contract that import only each other, so that TypeBox stays out of the bundle.
const plainContractFiles = new Set([
  '@ringproof/contract/error-pages.ts',
  '@ringproof/contract/limits.ts',
  '@ringproof/contract/methods.ts',
  '@ringproof/contract/money-format.ts',
  '@ringproof/contract/payments.ts',
  '@ringproof/contract/web/pages.ts',
  '@ringproof/contract/web/access.ts',
  '@ringproof/contract/web/csv-field.ts',
  '@ringproof/contract/web/password.ts',
  '@ringproof/contract/web/number-limits.ts',
  '@ringproof/contract/web/setting-names.ts',
])

// Another library for the behaviour of controls then changes one folder.
export const webPartsLaw: Law = (tree) =>
  tree.modules
    .filter(({ path }) => path.startsWith(pages) && !path.startsWith(`${pages}parts/`))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('@base-ui/'))
        .map(({ line, specifier }) => ({ path, line, text: `imports ${specifier}: only web/src/parts knows it` })),
    )

// A customer's browser never loads a screen of the console, and no page loads a screen that it does not show.
export const webScreensLaw: Law = (tree) =>
  tree.modules
    .filter(({ path }) => path.startsWith(pages))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ line, specifier, target = '', isDynamic, isTypeOnly }) => {
        const [, folder] = /^(web\/src\/(?:console|dashboard|sign)\/)/.exec(target) ?? []
        if (folder === undefined || path.startsWith(folder) || isTypeOnly || (path === routes && isDynamic)) return []
        if (path === wordLoader && isDynamic && wordFile.test(target)) return []
        const owner = folder.includes('console') ? ' of the console' : ''
        return [{ path, line, text: `imports ${specifier}: only ${routes} loads a screen${owner}, with import()` }]
      }),
    )

// /docs has the same colours and typefaces.
const look = 'server/assets/look/'

export const webBundleLaw: Law = (tree) => [
  ...tree.modules
    .filter(({ path }) => path.startsWith(pages))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ line, specifier, target, isTypeOnly }) => {
        if (target !== undefined && !target.startsWith(pages) && !target.startsWith(look)) {
          return [{ path, line, text: `imports ${specifier}: web/src imports only its own files and the look` }]
        }
        const isContract = specifier.startsWith(`${contractPackage}/`) && !isPlain(specifier)
        if (!isContract || isTypeOnly) return []
        return [{ path, line, text: `imports values of ${specifier}: its schemas would enter the bundle` }]
      }),
    ),
  ...tree.modules
    .filter(({ path }) => isPlain(specifierOf(path)))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, isTypeOnly }) => !isTypeOnly && (target === undefined || !isPlain(specifierOf(target))))
        .map(({ line, specifier }) => ({ path, line, text: `imports ${specifier}: pages import its values` })),
    ),
]

function isPlain(specifier: string): boolean {
  return plainContractFiles.has(specifier) || specifier.startsWith(`${contractPackage}/lists/`)
}

function specifierOf(path: string): string {
  return path.replace(/^contract\/src\//, `${contractPackage}/`)
}

export const webTextLaw: Law = (tree) =>
  tree.modules
    .filter(({ path }) => path.startsWith(pages))
    .flatMap(({ path, jsxTexts }) =>
      jsxTexts.map(({ text, line }) => ({
        path,
        line,
        text: `writes "${text}" into the page: words are in words.en.ts and words.ru.ts beside the screen`,
      })),
    )

// The compiler compares the words themselves.
export const webWordsLaw: Law = (tree) =>
  tree.files.flatMap((path) => {
    const [, name, language] = wordFile.exec(path) ?? []
    if (name === undefined) return []
    const other = `${name}${language === 'en' ? 'ru' : 'en'}.ts`
    return tree.files.includes(other) ? [] : [{ path, text: `has no ${other}: every text is in both languages` }]
  })
