import { posix } from 'node:path'
import type * as ESTree from 'oxc-parser'
import { parseSync, Visitor } from 'oxc-parser'
import { collectLists, type WordList } from './read-lists.ts'
import { collectUses, type Use } from './read-uses.ts'

// The facts about one file. It is parsed once; every law reads these facts instead of the syntax tree.
export type Module = {
  path: string
  lineCount: number
  parseErrors: string[]
  imports: Import[]
  functions: FunctionFact[]
  classes: ClassFact[]
  uses: Use[]
  lists: WordList[]
  // Texts that a page would show: between tags, or in an attribute that is read out or shown.
  jsxTexts: { text: string; line: number }[]
  isBarrel: boolean
}

export type Import = {
  specifier: string
  line: number
  isTypeOnly: boolean
  // `import()`: loaded when it is needed.
  isDynamic: boolean
  // The imported names; `*` for all of them.
  names: string[]
  // The path from the root of the tree, for a relative specifier.
  target?: string
}

type FunctionFact = { name: string; line: number; lineCount: number; isSuiteCallback: boolean; isExported: boolean }

type ClassFact = { name: string; line: number; hasBase: boolean; methodCount: number }

// The tree comes as bytes and not as JSON, which takes a third less time; the types do not know the option yet.
const parsing: ESTree.ParserOptions & { experimentalRawTransfer: boolean } = { experimentalRawTransfer: true }

export function readModule(path: string, text: string): Module {
  const { program, errors } = parseSync(path, text, parsing)
  const lineOf = lineFinder(text)
  return {
    path,
    lineCount: text === '' ? 0 : lineOf(text.endsWith('\n') ? text.length - 1 : text.length),
    parseErrors: errors.map((error) => error.message),
    imports: collectImports(path, program, lineOf),
    functions: collectFunctions(program, lineOf),
    classes: collectClasses(program, lineOf),
    uses: collectUses(program, lineOf),
    lists: collectLists(program, lineOf),
    jsxTexts: path.endsWith('.tsx') ? collectJsxTexts(program, lineOf) : [],
    isBarrel: isBarrel(program),
  }
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

function collectImports(path: string, program: ESTree.Program, lineOf: (offset: number) => number): Import[] {
  const imports: Import[] = []
  const add = (node: ESTree.Span, specifier: string, isTypeOnly: boolean, names = ['*'], isDynamic = false) => {
    const target = /^\.\.?(\/|$)/.test(specifier) ? posix.join(posix.dirname(path), specifier) : undefined
    const line = lineOf(node.start)
    imports.push({ specifier, line, isTypeOnly, isDynamic, names, ...(target === undefined ? {} : { target }) })
  }
  new Visitor({
    ImportDeclaration: (node) =>
      add(node, node.source.value, node.importKind === 'type', node.specifiers.map(importedName)),
    ExportNamedDeclaration: (node) => {
      if (node.source === null) return
      const names = node.specifiers.map(({ local }) => exportedText(local))
      add(node, node.source.value, node.exportKind === 'type', names)
    },
    ExportAllDeclaration: (node) => add(node, node.source.value, node.exportKind === 'type'),
    ImportExpression: (node) => {
      const specifier = literalText(node.source)
      if (specifier !== undefined) add(node, specifier, false, ['*'], true)
    },
    TSImportType: (node) => add(node, node.source.value, true),
  }).visit(program)
  return imports
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  return specifier.type === 'ImportSpecifier' ? exportedText(specifier.imported) : '*'
}

function exportedText(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

function literalText(node: ESTree.Expression): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined
  return undefined
}

const shownAttributes = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title'])

// Punctuation and spaces between words are not texts.
function collectJsxTexts(program: ESTree.Program, lineOf: (offset: number) => number): Module['jsxTexts'] {
  const texts: Module['jsxTexts'] = []
  const add = ({ start }: ESTree.Span, value: string) => {
    if (/\p{L}/u.test(value)) texts.push({ text: value.trim(), line: lineOf(start) })
  }
  new Visitor({
    JSXText: (node) => add(node, node.value),
    JSXAttribute: ({ name, value }) => {
      if (name.type !== 'JSXIdentifier' || !shownAttributes.has(name.name)) return
      if (value?.type === 'Literal' && typeof value.value === 'string') add(value, value.value)
    },
  }).visit(program)
  return texts
}

// A parent is visited before its children, so it can leave the name, or the exemption, for the function below it.
function collectFunctions(program: ESTree.Program, lineOf: (offset: number) => number): FunctionFact[] {
  const functions: FunctionFact[] = []
  const names = new Map<unknown, string>()
  const suiteCallbacks = new Set<unknown>()
  const exported = new Set<unknown>()
  const add = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    const line = lineOf(node.start)
    functions.push({
      name: node.id?.name ?? names.get(node) ?? 'a function without a name',
      line,
      lineCount: lineOf(node.end - 1) - line + 1,
      isSuiteCallback: suiteCallbacks.has(node),
      isExported: exported.has(node),
    })
  }
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type === 'FunctionDeclaration') exported.add(declaration)
    },
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier') names.set(node.init, node.id.name)
    },
    MethodDefinition: (node) => names.set(node.value, keyText(node.key)),
    PropertyDefinition: (node) => names.set(node.value, keyText(node.key)),
    Property: (node) => names.set(node.value, keyText(node.key)),
    CallExpression: (node) => {
      if (isSuiteCall(node.callee)) for (const argument of node.arguments) suiteCallbacks.add(argument)
    },
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program)
  return functions
}

function isSuiteCall(callee: ESTree.Expression): boolean {
  if (callee.type === 'MemberExpression') return isSuiteCall(callee.object)
  return callee.type === 'Identifier' && (callee.name === 'describe' || callee.name === 'suite')
}

// Overloads of a method have one name, so names are counted, not definitions.
function collectClasses(program: ESTree.Program, lineOf: (offset: number) => number): ClassFact[] {
  const classes: ClassFact[] = []
  const add = (node: ESTree.Class) => {
    const methods = new Set<string>()
    for (const member of node.body.body) {
      if (isMethod(member)) methods.add(keyText(member.key))
    }
    classes.push({
      name: node.id?.name ?? 'without a name',
      line: lineOf(node.start),
      hasBase: node.superClass !== null,
      methodCount: methods.size,
    })
  }
  new Visitor({ ClassDeclaration: add, ClassExpression: add }).visit(program)
  return classes
}

function isMethod(member: ESTree.ClassElement): member is ESTree.MethodDefinition | ESTree.PropertyDefinition {
  if (member.type === 'MethodDefinition') return member.kind !== 'constructor'
  if (member.type !== 'PropertyDefinition') return false
  return member.value?.type === 'ArrowFunctionExpression' || member.value?.type === 'FunctionExpression'
}

function keyText(key: ESTree.PropertyKey): string {
  if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name
  return key.type === 'Literal' ? String(key.value) : 'a computed name'
}

// Imports that are only exported again are re-exports too, however they are written.
function isBarrel(program: ESTree.Program): boolean {
  const handsOn = program.body.every((node) => node.type === 'ImportDeclaration' || isReExport(node))
  return handsOn && program.body.some(isReExport)
}

function isReExport(node: ESTree.Directive | ESTree.Statement): boolean {
  return node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.declaration === null)
}
