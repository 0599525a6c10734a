// CycloneDX's own schema, so that a bill of materials is checked by the rules of its readers.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'

const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')
const schemas = join(dirname(library), 'res/schema')
const read = (file: string) => JSON.parse(readFileSync(join(schemas, file), 'utf8')) as object

/** Says what is wrong with a document of the given version of the format; nothing if it is valid. */
export function cycloneDxChecker(specVersion: string): (document: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  // International forms of addresses, which ajv does not know; we have none.
  for (const name of ['iri-reference', 'idn-email']) ajv.addFormat(name, true)
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(read(file), `http://cyclonedx.org/schema/${file}`)
  }
  const validate = ajv.compile(read(`bom-${specVersion}.SNAPSHOT.schema.json`))
  return (document) => {
    if (validate(document)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
