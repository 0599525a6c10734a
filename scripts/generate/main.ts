// Runs as `npm run generate`: writes all files generated from the contract. tests/unit/generated.test.ts fails if one of them
// is out of date.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated-files.ts'

const repository = join(import.meta.dirname, '../..')

for (const [path, text] of generatedFiles()) {
  mkdirSync(dirname(join(repository, path)), { recursive: true })
  writeFileSync(join(repository, path), text)
}
