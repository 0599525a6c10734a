// Every log call of a source file: its message, its level and the names of its fields.

import type * as ESTree from 'oxc-parser'
import { parseSync, Visitor } from 'oxc-parser'

export type LogCall = { readonly message: string; readonly level: string; readonly fields: readonly string[] }

export type LogCalls = {
  readonly calls: readonly LogCall[]
  // Calls that cannot be documented, because their message or their fields are only known at run time.
  readonly faults: readonly string[]
}

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])

export function collectLogCalls(path: string, text: string): LogCalls {
  // Most files log nothing, and parsing them takes a second of every check.
  if (!/\blog(?:ger)?\b/.test(text)) return { calls: [], faults: [] }
  const calls: LogCall[] = []
  const faults: string[] = []
  const called = new Set<unknown>()
  const faultAt = ({ start }: ESTree.Span, what: string) =>
    void faults.push(`${path}:${text.slice(0, start).split('\n').length}: ${what}`)
  new Visitor({
    CallExpression: (node) => {
      const level = logLevel(node.callee)
      if (level === undefined) return
      called.add(node.callee)
      const [first, second] = node.arguments
      const [fieldsNode, messageNode] = node.arguments.length === 1 ? [undefined, first] : [first, second]
      const fields = fieldsNode === undefined ? [] : fieldNames(fieldsNode)
      const message = messageNode?.type === 'Literal' ? messageNode.value : undefined
      if (typeof message !== 'string') faultAt(node, 'the message is not a string literal')
      else if (node.arguments.length > 2) faultAt(node, 'the message has arguments')
      else if (fields === undefined) faultAt(node, 'the fields are not an object literal of plain names')
      else calls.push({ message, level, fields })
    },
    // The parent comes first, so what is left is a method that is passed on, and its messages are out of sight.
    MemberExpression: (node) => {
      if (logLevel(node) !== undefined && !called.has(node)) faultAt(node, 'the log method is not called here')
    },
  }).visit(parseSync(path, text).program)
  return { calls, faults }
}

// `log.info`, `deps.log.info` and the like.
function logLevel(node: ESTree.Expression | ESTree.MemberExpression): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined
  if (!levels.has(node.property.name)) return undefined
  const { object } = node
  const owner =
    object.type === 'Identifier'
      ? object.name
      : object.type === 'MemberExpression' && object.property.type === 'Identifier'
        ? object.property.name
        : undefined
  return owner === 'log' || owner === 'logger' ? node.property.name : undefined
}

function fieldNames(node: ESTree.Argument): string[] | undefined {
  if (node.type !== 'ObjectExpression') return undefined
  const names: string[] = []
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') return undefined
    names.push(property.key.name)
  }
  return names
}
