// `npm run bench` runs bench/hot-path.ts, `npm run bench -- NAME …` another program of this folder.

const programs = ['compare', 'numbers', 'rates', 'routes', 'scale', 'shards', 'steps'] as const

const [name] = process.argv.slice(2)
const known = programs.find((one) => one === name)
if (name !== undefined && known === undefined) {
  process.stderr.write(`npm run bench -- ${programs.join(' | ')}\n`)
  process.exitCode = 2
} else {
  // The program reads the arguments behind its name.
  if (known !== undefined) process.argv.splice(2, 1)
  await import(known === undefined ? './hot-path.ts' : `./${known}.ts`)
}
