// What the image of the signalling edge contains: Kamailio and the modules that deploy/edge/kamailio.cfg loads.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { edgePackages } from '../stack/parts/edge.ts'
import { repository } from './program.ts'
import type { Trimmed } from './trimmed.ts'

export const edge: Trimmed = {
  program: 'kamailio',
  // Debian 13 has 6.0. The next one has 6.1, which loses transactions.
  suite: 'trixie',
  packages: edgePackages,
  libraries: /^(libc6|libgcc-s1|gcc-\d+-base)$/,
  modules: () => {
    const text = readFileSync(join(repository, 'deploy/edge/kamailio.cfg'), 'utf8')
    return [...text.matchAll(/^loadmodule "(\S+)"$/gm)].map(([, name = '']) => name)
  },
  loadedByName: [],
  otherFiles: [],
}
