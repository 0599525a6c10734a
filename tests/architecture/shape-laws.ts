import type { Law } from './read-tree.ts'

const fileLinesMax = 400
const shippedFileLinesMax = 300
const functionLinesMax = 70

// Names that say nothing about the content, so that everything ends up inside.
const emptyNames = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc'])

export const parseLaw: Law = (tree) =>
  tree.modules.flatMap(({ path, parseErrors }) =>
    parseErrors.map((error) => ({ path, text: `cannot be parsed: ${error}` })),
  )

export const fileLengthLaw: Law = (tree) =>
  tree.modules.flatMap(({ path, lineCount }) => {
    const max = /^(server|web)\/src\//.test(path) ? shippedFileLinesMax : fileLinesMax
    return lineCount > max ? [{ path, text: `has ${lineCount} lines: a file has at most ${max}` }] : []
  })

export const functionLengthLaw: Law = (tree) =>
  tree.modules.flatMap(({ path, functions }) =>
    functions
      .filter((one) => one.lineCount > functionLinesMax && !(one.isSuiteCallback && path.startsWith('tests/')))
      .map(({ name, line, lineCount }) => ({
        path,
        line,
        text: `gives ${name} ${lineCount} lines: a function has at most ${functionLinesMax}`,
      })),
  )

// The body of a function in server/src/db/functions, with its declarations. There is no exception.
export const sqlLengthLaw: Law = (tree) =>
  tree.files
    .filter((path) => path.startsWith('server/src/db/functions/') && path.endsWith('.sql'))
    .flatMap((path) => {
      const text = tree.readText(path)
      return [...text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)[^]*?AS (\$\$|')([^]*?)\2;?$/gm)].flatMap((found) => {
        const [, name, , body = ''] = found
        const lineCount = body.trim().split('\n').length
        if (lineCount <= functionLinesMax) return []
        const line = text.slice(0, found.index).split('\n').length
        return [
          { path, line, text: `gives ${name} ${lineCount} lines: an SQL function has at most ${functionLinesMax}` },
        ]
      })
    })

export const nameLaw: Law = (tree) =>
  tree.files.flatMap((path) => {
    const words = path.split('/').map((part) => part.split('.')[0] ?? '')
    const empty = words.find((word) => emptyNames.has(word.toLowerCase()))
    if (empty !== undefined) return [{ path, text: `is named ${empty}: the name says nothing about the content` }]
    if (/(^|\/)index\.[cm]?[jt]s$/.test(path)) return [{ path, text: 'is an index: name it after its content' }]
    return []
  })

export const barrelLaw: Law = (tree) =>
  tree.modules
    .filter((module) => module.isBarrel)
    .map(({ path }) => ({ path, text: 'only re-exports: import from the module that defines it' }))

export const classLaw: Law = (tree) =>
  tree.modules.flatMap(({ path, classes }) =>
    classes
      .filter((one) => one.methodCount === 1 && !one.hasBase)
      .map(({ name, line }) => ({
        path,
        line,
        text: `has class ${name} with one method and no base: it is a function`,
      })),
  )
