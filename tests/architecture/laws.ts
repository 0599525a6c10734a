import { currencyLaw } from './currency-law.ts'
import { architectureLengthLaw, docLinkLaw, docPathLaw, scriptCountLaw, scriptDocsLaw } from './doc-laws.ts'
import { cycleLaw, missingFileLaw } from './graph-laws.ts'
import { contractLaw, importLaw, sdkLaw } from './import-law.ts'
import {
  effectLaw,
  environmentLaw,
  packageKeepersLaw,
  randomnessLaw,
  roleLaw,
  socketLaw,
  timeLaw,
  unitLaw,
} from './knowledge-laws.ts'
import { listLaw } from './list-law.ts'
import { folderLaw, nounLaw, nounOrderLaw, verbLaw } from './noun-laws.ts'
import { dependencyCountLaw, dependencyDocsLaw, undeclaredLaw, unusedLaw } from './package-laws.ts'
import { type Law, readTree } from './read-tree.ts'
import { retiredWordsLaw } from './retired-words.ts'
import { barrelLaw, classLaw, fileLengthLaw, functionLengthLaw, nameLaw, parseLaw, sqlLengthLaw } from './shape-laws.ts'
import { machinePathLaw, titleLaw } from './text-laws.ts'
import { webBundleLaw, webPartsLaw, webScreensLaw, webTextLaw, webWordsLaw } from './web-laws.ts'

const laws = {
  parse: parseLaw,
  imports: importLaw,
  contract: contractLaw,
  sdk: sdkLaw,
  keepers: packageKeepersLaw,
  environment: environmentLaw,
  effects: effectLaw,
  sockets: socketLaw,
  time: timeLaw,
  randomness: randomnessLaw,
  roles: roleLaw,
  units: unitLaw,
  undeclared: undeclaredLaw,
  unused: unusedLaw,
  dependencyCount: dependencyCountLaw,
  dependencyDocs: dependencyDocsLaw,
  cycles: cycleLaw,
  missingFiles: missingFileLaw,
  fileLength: fileLengthLaw,
  functionLength: functionLengthLaw,
  sqlLength: sqlLengthLaw,
  names: nameLaw,
  nouns: nounLaw,
  nounOrder: nounOrderLaw,
  folders: folderLaw,
  verbs: verbLaw,
  barrels: barrelLaw,
  lists: listLaw,
  classes: classLaw,
  titles: titleLaw,
  machinePaths: machinePathLaw,
  retiredWords: retiredWordsLaw,
  architectureLength: architectureLengthLaw,
  docPaths: docPathLaw,
  docLinks: docLinkLaw,
  scriptDocs: scriptDocsLaw,
  scriptCount: scriptCountLaw,
  webParts: webPartsLaw,
  webScreens: webScreensLaw,
  webBundle: webBundleLaw,
  webText: webTextLaw,
  webWords: webWordsLaw,
  currency: currencyLaw,
} satisfies Record<string, Law>

export type LawName = keyof typeof laws

type Finding = { law: LawName; sentence: string }

// Reads the tree once and checks every law against it.
export function checkTree(root: string): { moduleCount: number; findings: Finding[] } {
  const tree = readTree(root)
  const findings = lawNames().flatMap((law) =>
    laws[law](tree).map(({ path, line, text }) => ({
      law,
      sentence: `${line === undefined ? path : `${path}:${line}`} ${text}`,
    })),
  )
  return { moduleCount: tree.modules.length, findings }
}

export function lawNames(): LawName[] {
  return Object.keys(laws).filter((name): name is LawName => name in laws)
}
