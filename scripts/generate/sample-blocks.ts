// Copies examples into documentation pages: the code block after a link to an example file is its exact text.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const block = /(\[[^\]]*\]\(([^)]*examples\/\w+\/[^)/]+)\)[^\n]*\n\n```\w+\n)[\s\S]*?```\n/g

export function withSamples(repository: string, page: string): string {
  const text = readFileSync(join(repository, page), 'utf8')
  return text.replaceAll(block, (_, head: string, link: string) => {
    const sample = readFileSync(join(repository, dirname(page), link), 'utf8')
    return `${head}${sample}\`\`\`\n`
  })
}

// The examples in a page, by path from the root.
export function samplesIn(text: string, page: string): string[] {
  return [...text.matchAll(block)].map(([, , link = '']) => join(dirname(page), link))
}
