// Collects the command lines that the program, its package and its pages ask a person to type, in a form in which the same command is the
// same text: a command of Ringproof as its words, any other as it stands, with `…` for a value of the program.

import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Command } from 'commander'

export type Printed = {
  readonly command: string
  readonly place: string
  // That the command does not have; only those of Ringproof are known.
  readonly unknownOptions: readonly string[]
}

const sources = [
  '*.md',
  '.github/*.md',
  '{docs,deploy,examples,sdk-php}/**/*.md',
  'sdk/*.md',
  'server/src/**/*.{ts,md}',
  'deploy/**',
  'deploy/compose/.env.example',
]
// How a command begins in running text, where sentences begin otherwise.
const programs =
  /^(?:(?:ringproof|npm|npx|docker|systemctl|journalctl|sudo|apt-get|patronictl|helm|kubectl|nft|sysctl|pgbackrest|timedatectl|chronyc|psql) [^\s,]|asterisk -|age -|openssl |sed -i|install -|df -|du -|kill -|cosign |tar -)/
// Of the shell itself, and of every machine: they do not depend on us.
const plain =
  /^(?:cd|cp|mv|rm|echo|printf|umask|for|do|done|while|if|then|fi|mkdir|chmod|chown|break|cat|sort|od|tr|grep|date|base64|seq|sha256sum|tail|node -p|dpkg --print-architecture|\.|[A-Za-z_]+\(\)|\}|[A-Za-z_]+=.*|[^a-z].*)(?: |$)/

export function printedCommands(program: Command, typedPages: ReadonlySet<string>, root: string): readonly Printed[] {
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
  return files.flatMap((file) =>
    linesOf(file, root, typedPages.has(file)).flatMap((line) =>
      simpleCommands(line)
        .filter((one) => !plain.test(one))
        .map((one) => ({ ...normalised(one, program), place: file })),
    ),
  )
}

function linesOf(file: string, root: string, isTyped: boolean): readonly string[] {
  if (/^(docs\/adr\/|CHANGELOG|docs\/reference\/printed-commands)/.test(file)) return []
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.md'))
    return [...(isTyped ? [] : blockLines(text)), ...inlineCode(text.replace(/^ *```[^]*?^ *```/gm, ''))]
  if (/^server\/src\/(cli|domain|db|actions|web|mail|telephony|engine)\/.*\.ts$/.test(file)) return stringCommands(text)
  if (file === 'deploy/debian/postinst') return [...text.matchAll(/Now: (.*)"$/gm)].map(([, line = '']) => line)
  if (/^deploy\/(debian|compose|edge|ha|caddy|nginx|backup|chart)\//.test(file)) return commentCommands(text)
  return []
}

function blockLines(text: string): readonly string[] {
  return [...text.matchAll(/^ *```(?:sh|bash|console)\n([^]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block
      .replace(/\\\n/g, ' ')
      .replace(/<<-?'?END'?\n[^]*?\n *END$/gm, '')
      .split('\n')
      .map((line) => line.trim().replace(/(^|\s)#.*$/, ''))
      .filter(Boolean),
  )
}

function inlineCode(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code.replace(/\s+/g, ' '))
    .filter((code) => programs.test(code))
}

function stringCommands(text: string): readonly string[] {
  const code = text.replace(/^ *\/\/.*$/gm, '')
  const strings = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g)]
  return strings
    .map(([, one, two, three]) => (one ?? two ?? three ?? '').replace(/\\`/g, '`').replace(/\$\{[^}]*\}/g, '…'))
    .flatMap((said) => [
      ...(programs.test(said) ? [said] : []),
      ...inlineCode(said),
      ...[...said.matchAll(/(?:: |\. Run |then: )(ringproof [a-z].*)$/gm)].map(([, line = '']) => line),
    ])
}

function commentCommands(text: string): readonly string[] {
  return [...text.matchAll(/^ *# (.*)$/gm)].flatMap(([, line = '']) => [
    ...(programs.test(line) ? [line] : []),
    ...inlineCode(line),
    ...[...line.matchAll(/: ((?:ringproof|systemctl|docker|sudo) .*)$/g)].map(([, one = '']) => one),
  ])
}

function simpleCommands(line: string): readonly string[] {
  return line
    .replace(/\$\(([^)]*)\)/g, '; $1 ;')
    .split(/ *(?:&&|\|\||\||;)(?= |$) */)
    .map((one) => one.trim().replace(/^(?:[A-Z_]+=\S* +)+/, ''))
    .map((one) => one.replace(/ *(<|>>?|2>&1) *\S*$/, '').replace(/, (?:then|on|with|after) .*$|[.,]$/, ''))
    .filter(Boolean)
}

function normalised(line: string, program: Command): Omit<Printed, 'place'> {
  const words = line
    .replace(/^(?:sudo (?:-\w+ \S+ )*|npx (?=ringproof ))/, '')
    .replace(/^docker compose (?:exec|run)\b.*? (?:ringproof (?=[a-z])|(?=(?:secrets|setup|migrate)\b))/, 'ringproof ')
    .split(/ +/)
  if (words[0] !== 'ringproof') return { command: words.join(' '), unknownOptions: [] }
  let command = program
  const path: string[] = []
  for (const word of words.slice(1)) {
    const next = command.commands.find((one) => one.name() === word)
    if (!next) break
    command = next
    path.push(word)
  }
  const known = new Set(['--help', ...command.options.map(({ long }) => long)])
  const options = words.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? [])
  return { command: ['ringproof', ...path].join(' '), unknownOptions: options.filter((option) => !known.has(option)) }
}
