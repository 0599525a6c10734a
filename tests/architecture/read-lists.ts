import type * as ESTree from 'oxc-parser'
import { Visitor } from 'oxc-parser'

// Strings that stand beside each other: in an array, in a union of types, as the arguments of a call, or in SQL.
export type WordList = { words: string[]; line: number }

export function collectLists(program: ESTree.Program, lineOf: (offset: number) => number): WordList[] {
  const lists: WordList[] = []
  const fieldNames = new Set<unknown>()
  const add = ({ start }: ESTree.Span, words: string[]) => lists.push({ words, line: lineOf(start) })
  new Visitor({
    ArrayExpression: (node) => {
      const words = node.elements.map(stringOf)
      if (words.every((word) => word !== undefined)) add(node, words)
    },
    CallExpression: (node) => {
      const words = node.arguments.map(stringOf)
      if (words.every((word) => word !== undefined)) add(node, words)
    },
    // The compiler compares the names of fields with the type they are taken from.
    TSTypeReference: ({ typeName, typeArguments }) => {
      if (typeName.type === 'Identifier' && /^(Pick|Omit)$/.test(typeName.name))
        fieldNames.add(typeArguments?.params[1])
    },
    TSUnionType: (node) => {
      if (!fieldNames.has(node))
        add(
          node,
          node.types.map(literalOf).filter((word) => word !== undefined),
        )
    },
    Literal: (node) => {
      if (typeof node.value === 'string') for (const list of sqlLists(node.value)) lists.push(at(node, list))
    },
    TemplateElement: (node) => {
      for (const list of sqlLists(node.value.raw)) lists.push(at(node, list))
    },
  }).visit(program)
  return lists

  function at({ start }: ESTree.Span, { words, line }: WordList): WordList {
    return { words, line: lineOf(start) + line - 1 }
  }
}

// `IN (…)`, `ARRAY[…]` and `ENUM (…)` of words.
export function sqlLists(text: string): WordList[] {
  return [...text.matchAll(/(?:\bIN \(|\bARRAY\[|\bENUM \()((?:\s*'[\w-]*'\s*,?)+)[)\]]/g)].map((found) => ({
    words: [...(found[1] ?? '').matchAll(/'([\w-]*)'/g)].map(([, word = '']) => word),
    line: text.slice(0, found.index).split('\n').length,
  }))
}

function stringOf(node: ESTree.Expression | ESTree.SpreadElement | null): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function literalOf(node: ESTree.TSType): string | undefined {
  if (node.type !== 'TSLiteralType' || node.literal.type !== 'Literal') return undefined
  return typeof node.literal.value === 'string' ? node.literal.value : undefined
}
