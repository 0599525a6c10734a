// The standard variables of OpenTelemetry, OTEL_*, as far as they are about traces. docs/operations/traces.md explains them.

import { textThat } from '../../domain/values/parsers.ts'
import { must, type Reader } from './values.ts'

export type TraceSettings = {
  // Where spans are posted.
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  // What every span says about its sender, service.name among it.
  readonly resource: Readonly<Record<string, string>>
  // The share of verifications that are traced: above 0, at most 1.
  readonly share: number
}

// A trace begins here and has no parent elsewhere, so `parentbased_` changes nothing.
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

type Variables = {
  readonly endpoint: string | undefined
  readonly tracesEndpoint: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string | undefined
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: (typeof samplers)[number] | undefined
  readonly samplerArg: number | undefined
  readonly disabled: 'true' | 'false' | undefined
}

// Undefined: no traces.
export function traceSettingsOf(variables: Variables): TraceSettings | undefined {
  const { endpoint, tracesEndpoint, headers, serviceName, resource, disabled } = variables
  const url = tracesEndpoint ?? (endpoint && inFolder(endpoint, 'v1/traces'))
  const share = shareOf(variables)
  if (url === undefined || share === 0 || disabled === 'true') return undefined
  const named = serviceName === undefined ? {} : { 'service.name': serviceName }
  return { url, headers, resource: { 'service.name': 'ringproof', ...resource, ...named }, share }
}

// fetch() refuses a URL with credentials and repeats it in its error.
export const collectorUrl: Reader<string> = must(
  textThat(
    isCollectorUrl,
    'a URL that begins with http:// or https://, without user and password; OTEL_EXPORTER_OTLP_HEADERS is for those',
  ),
)

// `name=value`, comma-separated, values percent-encoded. A value may be a token, so the sentence does not repeat it.
export const namedValues: Reader<Readonly<Record<string, string>>> = (text) => {
  const items = text.split(',').filter((item) => item.trim() !== '')
  return Object.fromEntries(
    items.map((item) => {
      const [, name = '', encoded = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(item) ?? []
      const value = decoded(encoded)
      if (name === '' || value === undefined) throw new Error('must read `name=value`, separated by commas')
      return [name, value]
    }),
  )
}

export const headerFields: Reader<Readonly<Record<string, string>>> = (text, texts) => {
  const fields = namedValues(text, texts)
  for (const [name, value] of Object.entries(fields)) {
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)) continue
    throw new Error('must consist of names and values that a header may have')
  }
  return fields
}

function shareOf({ sampler = 'always_on', samplerArg = 1 }: Variables): number {
  if (sampler.endsWith('always_off')) return 0
  return sampler.endsWith('traceidratio') ? samplerArg : 1
}

function isCollectorUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

function inFolder(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
