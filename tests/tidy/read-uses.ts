import type * as ESTree from 'oxc-parser'
import { Visitor } from 'oxc-parser'

// A mention of something outside the file, such as `process.env`, `Date.now`, `new Date()` or `setTimeout`.
export type Use = { name: string; line: number }

// Modules whose members are known by the name of a global, whatever name the file gives them.
const knownModules: Record<string, string> = {
  'node:process': 'process',
  process: 'process',
  'node:crypto': 'crypto',
  crypto: 'crypto',
}

// Nodes that change how an expression is written, and not what it names.
const wrappers = new Set(['ParenthesizedExpression', 'ChainExpression', 'TSNonNullExpression', 'TSAsExpression'])

const timers = new Set(['setTimeout', 'setInterval', 'setImmediate'])

export function collectUses(program: ESTree.Program, lineOf: (offset: number) => number): Use[] {
  const uses = new Map<string, Use>()
  const add = (node: ESTree.Span, name: string) => {
    const line = lineOf(node.start)
    uses.set(`${name} ${line}`, { name, line })
  }
  const aliases = new Map<string, string>()
  const nameOf = (node: ESTree.Node) => dottedName(node, aliases)
  const notReferences = new Set<unknown>()
  new Visitor({
    ImportDeclaration: (node) => addImported(node, aliases, add),
    VariableDeclarator: (node) => addDestructured(node, nameOf, add),
    MemberExpression: (node) => {
      if (!node.computed) notReferences.add(node.property)
      const name = nameOf(node)
      if (name !== undefined) add(node, name)
    },
    NewExpression: (node) => {
      if (node.arguments.length === 0 && nameOf(node.callee) === 'Date') add(node, 'new Date()')
    },
    CallExpression: (node) => {
      if (nameOf(node.callee) === 'Date') add(node, 'Date()')
    },
    Property: (node) => {
      if (!node.computed && !node.shorthand) notReferences.add(node.key)
    },
    MethodDefinition: (node) => notReferences.add(node.key),
    PropertyDefinition: (node) => notReferences.add(node.key),
    TSPropertySignature: (node) => notReferences.add(node.key),
    TSMethodSignature: (node) => notReferences.add(node.key),
    TSTypeQuery: (node) => notReferences.add(node.exprName),
    ImportSpecifier: (node) => notReferences.add(node.imported).add(node.local),
    Identifier: (node) => {
      if (timers.has(node.name) && !notReferences.has(node)) add(node, node.name)
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
    if (key.type === 'Identifier') add(property, `${from}.${key.name}`)
    else if (key.type === 'Literal') add(property, `${from}.${String(key.value)}`)
  }
}

function dottedName(node: ESTree.Node, aliases: Map<string, string>): string | undefined {
  if (node.type === 'Identifier') return aliases.get(node.name) ?? node.name
  if (node.type === 'MemberExpression') {
    const object = dottedName(node.object, aliases)
    const property = propertyName(node)
    if (object === undefined || property === undefined) return undefined
    return object === 'globalThis' || object === 'global' ? property : `${object}.${property}`
  }
  return wrappers.has(node.type) && 'expression' in node && typeof node.expression === 'object'
    ? dottedName(node.expression, aliases)
    : undefined
}

function propertyName(node: ESTree.MemberExpression): string | undefined {
  if (node.property.type === 'Literal' && typeof node.property.value === 'string') return node.property.value
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined
}
