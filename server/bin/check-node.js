// Which Node may run the program. JavaScript, because Node older than 24 cannot read the program's TypeScript.

// The majors this release was tested for, with the day their security fixes end (nodejs.org/en/about/previous-releases).
// Add the next even major here; tests/architecture/tooling.test.ts turns red half a year before the newest one ends.
export const supportedMajors = new Map([
  [24, '2028-04-30'],
  [26, '2029-04-30'],
])

// Undefined when nothing is wrong. Old and odd majors get no security fixes and are refused. One that ended after this
// release was made only warns: a machine that restarts at night must not stay down because of a date.
export function checkNode(version, today) {
  const major = Number(version.replace(/^v/, '').split('.')[0])
  const newest = Math.max(...supportedMajors.keys())
  const use = `Use Node ${[...supportedMajors.keys()].join(' or ')}; inside the project: npx ringproof`
  if (major < newest && !supportedMajors.has(major)) {
    const why = major < 24 ? 'is too old to run ringproof' : 'gets no security fixes any more'
    return { isRefused: true, sentence: `Node ${version} ${why}. ${use}` }
  }
  const ended = supportedMajors.get(major)
  if (ended === undefined || today <= ended) return undefined
  return { isRefused: false, sentence: `Warning: Node ${version} has had no security fixes since ${ended}. ${use}` }
}
