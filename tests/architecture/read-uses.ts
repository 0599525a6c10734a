import type * as ESTree from 'oxc-parser'
import { Visitor } from 'oxc-parser'

// A mention of something outside the file, such as `process.env`, `Date.now`, `new Date()` or `setTimeout`. A mention
// of `process` alone counts where it is captured as a whole: passed on or renamed, it would hide every later use.
export type Use = { name: string; line: number }

// Modules whose members are reported under the name of a global, whatever name the file gives them.
const knownModules: Record<string, string> = {
  'node:process': 'process',
  process: 'process',
  'node:crypto': 'crypto',
  crypto: 'crypto',
}

// Nodes that change how an expression is written, not what it names.
const wrappers = new Set([
  'ParenthesizedExpression',
  'ChainExpression',
  'TSNonNullExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
])

// Globals whose bare mention is a use, and globals whose members are reported by name.
const doers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'fetch', 'WebSocket', 'EventSource'])
const holders = new Set(['process', 'Date', 'performance', 'AbortSignal', 'globalThis', 'global'])

export function collectUses(program: ESTree.Program, lineOf: (offset: number) => number): Use[] {
  const uses = new Map<string, Use>()
  const add = (node: ESTree.Span, name: string) => {
    const line = lineOf(node.start)
    uses.set(`${name} ${line}`, { name, line })
  }
  const aliases = new Map<string, string>()
  const nameOf = (node: ESTree.Node) => dottedName(node, aliases)
  const notReferences = new Set<unknown>()
  // The member access that follows is already reported, so the holder itself adds nothing.
  const explain = (node: ESTree.Node) => {
    const inner = unwrapped(node)
    if (holders.has(nameOf(inner) ?? '')) notReferences.add(inner)
  }
  new Visitor({
    ImportDeclaration: (node) => addImported(node, aliases, add),
    VariableDeclarator: (node) => {
      addDestructured(node, nameOf, add)
      if (node.init !== null && namesEveryProperty(node.id)) explain(node.init)
    },
    MemberExpression: (node) => {
      if (!node.computed) notReferences.add(node.property)
      if (propertyName(node) !== undefined) explain(node.object)
      const name = nameOf(node)
      if (name !== undefined && !notReferences.has(node)) add(node, name)
    },
    NewExpression: (node) => {
      if (nameOf(node.callee) !== 'Date') return
      explain(node.callee)
      if (node.arguments.length === 0) add(node, 'new Date()')
    },
    CallExpression: (node) => {
      if (nameOf(node.callee) !== 'Date') return
      explain(node.callee)
      add(node, 'Date()')
    },
    BinaryExpression: (node) => {
      if (node.operator === 'instanceof') explain(node.right)
    },
    Property: (node) => {
      if (!node.computed && !node.shorthand) notReferences.add(node.key)
    },
    MethodDefinition: (node) => notReferences.add(node.key),
    PropertyDefinition: (node) => notReferences.add(node.key),
    TSPropertySignature: (node) => notReferences.add(node.key),
    TSMethodSignature: (node) => notReferences.add(node.key),
    TSTypeQuery: (node) => notReferences.add(node.exprName),
    TSTypeReference: (node) => notReferences.add(node.typeName),
    TSQualifiedName: (node) => notReferences.add(node.left).add(node.right),
    TSInterfaceHeritage: (node) => notReferences.add(node.expression),
    TSClassImplements: (node) => notReferences.add(node.expression),
    ImportSpecifier: (node) => notReferences.add(node.imported).add(node.local),
    ImportDefaultSpecifier: (node) => notReferences.add(node.local),
    ImportNamespaceSpecifier: (node) => notReferences.add(node.local),
    ExportSpecifier: (node) => notReferences.add(node.exported),
    Identifier: (node) => {
      const name = aliases.get(node.name) ?? node.name
      if ((doers.has(name) || holders.has(name)) && !notReferences.has(node)) add(node, name)
    },
  }).visit(program)
  return [...uses.values()]
}

function addImported(
  node: ESTree.ImportDeclaration,
  aliases: Map<string, string>,
  add: (node: ESTree.Span, name: string) => void,
): void {
  const known = knownModules[node.source.value]
  if (known === undefined || node.importKind === 'type') return
  for (const specifier of node.specifiers) {
    if (specifier.type !== 'ImportSpecifier') {
      aliases.set(specifier.local.name, known)
      continue
    }
    const imported = specifier.imported.type === 'Literal' ? specifier.imported.value : specifier.imported.name
    if (imported === 'default') {
      aliases.set(specifier.local.name, known)
      continue
    }
    aliases.set(specifier.local.name, `${known}.${imported}`)
    add(specifier, `${known}.${imported}`)
  }
}

// `const { env } = process` touches `process.env` without a member access.
function addDestructured(
  node: ESTree.VariableDeclarator,
  nameOf: (node: ESTree.Node) => string | undefined,
  add: (node: ESTree.Span, name: string) => void,
): void {
  if (node.id.type !== 'ObjectPattern' || node.init === null) return
  const from = nameOf(node.init)
  if (from === undefined) return
  for (const property of node.id.properties) {
    if (property.type !== 'Property') continue
    const { key } = property
    if (key.type === 'Identifier') add(property, memberName(from, key.name))
    else if (key.type === 'Literal') add(property, memberName(from, String(key.value)))
  }
}

// `const { ...all } = process` captures the whole object, and so may a computed name.
function namesEveryProperty(pattern: ESTree.Node): boolean {
  return (
    pattern.type === 'ObjectPattern' &&
    pattern.properties.every((property) => property.type === 'Property' && !property.computed)
  )
}

function dottedName(node: ESTree.Node, aliases: Map<string, string>): string | undefined {
  const inner = unwrapped(node)
  if (inner.type === 'Identifier') return aliases.get(inner.name) ?? inner.name
  if (inner.type !== 'MemberExpression') return undefined
  const object = dottedName(inner.object, aliases)
  const property = propertyName(inner)
  return object === undefined || property === undefined ? undefined : memberName(object, property)
}

function memberName(object: string, property: string): string {
  return object === 'globalThis' || object === 'global' ? property : `${object}.${property}`
}

function unwrapped(node: ESTree.Node): ESTree.Node {
  return wrappers.has(node.type) && 'expression' in node && typeof node.expression === 'object'
    ? unwrapped(node.expression)
    : node
}

function propertyName(node: ESTree.MemberExpression): string | undefined {
  if (node.property.type === 'Literal' && typeof node.property.value === 'string') return node.property.value
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined
}
