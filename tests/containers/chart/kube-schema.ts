// Holds objects strictly to Kubernetes' own schemas: a wrong type, a missing field, an unknown field or an unknown kind is a fault.
// The schemas are Kubernetes' OpenAPI documents. They are third-party data, and so are in ../shared beside the clone.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import type { KubeObject } from './kube-object.ts'

type Schema = {
  readonly properties?: unknown
  additionalProperties?: unknown
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[]
}

const schemasFile = fileURLToPath(new URL('../../../../shared/operations/kube-schemas.json', import.meta.url))

/** Returns what finds the faults of an object. */
export function readKubeSchemas(file = schemasFile): (object: KubeObject) => readonly string[] {
  if (!existsSync(file)) {
    throw new Error(`There is no ${file}: the chart cannot be compared with Kubernetes' schemas without ../shared.`)
  }
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')) as { schemas: Record<string, Schema> }
  const names = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined) schema.additionalProperties ??= false
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      names.set(`${group === '' ? '' : `${group}/`}${version} ${kind}`, name)
    }
  }
  // The documents have keywords and formats that only Kubernetes knows.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'kubernetes', components: { schemas } })
  return (object) => {
    const name = names.get(`${object.apiVersion} ${object.kind}`)
    const validate = name === undefined ? undefined : ajv.getSchema(`kubernetes#/components/schemas/${name}`)
    if (!validate) return [`${object.apiVersion} ${object.kind}: Kubernetes has no such kind`]
    validate(object)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${object.kind} ${object.metadata.name}${instancePath} ${message}: ${JSON.stringify(params)}`,
    )
  }
}
