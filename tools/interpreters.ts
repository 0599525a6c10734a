// What `npm run interpreters` does: installs what the samples are run with, where it is missing.

import { installInterpreters } from './stack/interpreters.ts'

const installed = await installInterpreters()
process.stdout.write(installed.length === 0 ? 'Every interpreter is there.\n' : `Installed ${installed.join(', ')}.\n`)
