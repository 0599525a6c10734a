// What `npm run generate` does: writes every file that is made of the contract. tests/unit/generated.test.ts fails while
// one of them is not what this would write.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated-files.ts'

const repository = join(import.meta.dirname, '../..')

for (const [path, text] of generatedFiles()) {
  mkdirSync(dirname(join(repository, path)), { recursive: true })
  writeFileSync(join(repository, path), text)
}
