import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { printableSettings, readConfig } from '../../server/src/process/config/config.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const enough = { RINGPROOF_DATABASE_URL: 'postgres://app@127.0.0.1/x', RINGPROOF_SECRETS_DIR: 'secrets' }
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

function traces(variables: Readonly<Record<string, string>>) {
  return readConfig({ ...enough, ...variables }).traces
}

test('without a collector, disabled, or sampled to nothing there are no traces', () => {
  assert.equal(traces({}), undefined)
  assert.equal(traces({ OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }), undefined)
  assert.equal(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), undefined)
  assert(traces(collector))
  for (const off of [
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_TRACES_SAMPLER: 'always_off' },
    { OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
  ]) {
    assert.equal(traces({ ...collector, ...off }), undefined, JSON.stringify(off))
  }
})

test('/v1/traces is appended to the endpoint, and nothing to the one for traces', () => {
  const urlOf = (endpoint: string, tracesEndpoint = '') =>
    traces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint })?.url
  assert.equal(urlOf('http://127.0.0.1:4318'), 'http://127.0.0.1:4318/v1/traces')
  assert.equal(urlOf('https://otlp.example.org/tenant/'), 'https://otlp.example.org/tenant/v1/traces')
  assert.equal(urlOf('', 'http://127.0.0.1:4318/own'), 'http://127.0.0.1:4318/own')
  assert.equal(urlOf('http://127.0.0.1:4318', 'https://otlp.example.org'), 'https://otlp.example.org')
})

test('headers, names and shares are read as the standard says', (t) => {
  const file = `${temporaryDirectory(t)}/headers`
  writeFileSync(file, 'api-key=secret\n')
  assert.deepEqual(traces({ ...collector, OTEL_EXPORTER_OTLP_HEADERS_FILE: file })?.headers, { 'api-key': 'secret' })
  const headers = ' api-key = a%20b%3D , x-tenant=c=d,'
  assert.deepEqual(traces({ ...collector, OTEL_EXPORTER_OTLP_HEADERS: headers })?.headers, {
    'api-key': 'a b=',
    'x-tenant': 'c=d',
  })
  const resourceOf = (variables: Record<string, string>) => traces({ ...collector, ...variables })?.resource
  assert.deepEqual(resourceOf({}), { 'service.name': 'ringproof' })
  const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=calls,deployment.environment.name=test%20lab' }
  assert.deepEqual(resourceOf(attributes), { 'service.name': 'calls', 'deployment.environment.name': 'test lab' })
  assert.equal(resourceOf({ ...attributes, OTEL_SERVICE_NAME: 'api' })?.['service.name'], 'api')
  const shareOf = (sampler: string, arg = '') =>
    traces({ ...collector, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg })?.share
  assert.deepEqual(
    [shareOf(''), shareOf('always_on', '0.5'), shareOf('traceidratio'), shareOf('parentbased_traceidratio', '0.25')],
    [1, 1, 1, 0.25],
  )
})

test('a variable that cannot be used stops the start, and its secret is in no sentence and not printed', () => {
  const secret = 'hunter2'
  const faulty = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', `http://app:${secret}@127.0.0.1:4318`],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', `grpc://app:${secret}@127.0.0.1:4317`],
    ['OTEL_EXPORTER_OTLP_HEADERS', secret],
    ['OTEL_EXPORTER_OTLP_HEADERS', `api-key=${secret}%`],
    ['OTEL_EXPORTER_OTLP_HEADERS', `api-key=${secret}%0D%0Ax: y`],
    ['OTEL_EXPORTER_OTLP_HEADERS', `api(key)=${secret}`],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ] as const
  for (const [name, value] of faulty) {
    assert.throws(
      () => traces({ ...collector, [name]: value }),
      ({ message }: Error) => message.includes(`  ${name}: must `) && !message.includes(secret),
      `${name}=${value}`,
    )
    assert(![...printableSettings({ [name]: value }).values()].join('\n').includes(secret), `${name}=${value}`)
  }
})

test('variables of OpenTelemetry that are not about traces are ignored', () => {
  assert.equal(traces({ OTEL_METRICS_EXPORTER: 'none', OTEL_SERVICE_NAME_FIEL: '/nowhere' }), undefined)
})
