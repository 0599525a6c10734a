import type { Complaint, Law } from './read-tree.ts'

// A folder of one particular machine, at the start of an absolute path. It must not be a part of a longer path or URL;
// `file://` is the one URL that leads back to the machine.
const machinePath = /(?:(?<![\w.~\-})\]*/])|(?<=file:\/\/))\/(?:work|root|(?:home|Users)\/[^/\s'"`]+)\//

export const titleLaw: Law = (tree) =>
  tree.files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const count = titleCount(tree.readText(path))
      return count === 1 ? [] : [{ path, text: `has ${count} first-level headings: it has exactly one` }]
    })

export const machinePathLaw: Law = (tree) =>
  tree.files.flatMap((path): Complaint[] => {
    const text = tree.readText(path)
    if (text.includes('\0')) return []
    return text.split('\n').flatMap((line, at) => {
      const found = machinePath.exec(line)?.[0]
      return found === undefined ? [] : [{ path, line: at + 1, text: `names ${found}, a folder of one machine` }]
    })
  })

function titleCount(text: string): number {
  let fence: string | undefined
  let count = 0
  let before = ''
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    if (fence === undefined) {
      if (mark !== null) fence = mark[1]
      else if (/^ {0,3}#(\s|$)/.test(line) || (/^ {0,3}=+\s*$/.test(line) && before.trim() !== '')) count += 1
    } else if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === '') {
      fence = undefined
    }
    before = line
  }
  return count
}
