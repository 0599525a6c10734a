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
    const names = [...text.matchAll(/^loadmodule "(\S+)"$/gm)].map(([, name = '']) => name)
    // One that only some edges load has a placeholder in its place.
    return names.map((name) => name.replace(/^\{\{(\w+)Module\}\}$/, '$1.so'))
  },
  loadedByName: [],
  otherFiles: [],
}
