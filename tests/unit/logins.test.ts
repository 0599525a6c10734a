// Every process that we deploy connects to PostgreSQL with the login of exactly its roles, and the command line with another. The
// logins are those of create-roles.sql; tests/integration/logins.test.ts runs that file and the processes.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  databaseRoles,
  groupOf,
  loginForAll,
  loginOf,
  loginOfCli,
  type ProcessRole,
  processRoles,
} from '../../server/src/domain/core/database-role.ts'

const deploy = join(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

test('every service of compose.yaml and ha.yaml has the login of its roles, and commands that of the command line', () => {
  const roles = new Map<string, string>()
  for (const [service, text] of servicesOf('compose/compose.yaml')) {
    const own = /"--roles", "([a-z,]+)"/.exec(text)?.[1]
    if (own !== undefined) roles.set(service, own)
  }
  assert.deepEqual([...roles.keys()], ['api', 'worker', 'calls'])
  for (const file of ['compose/compose.yaml', 'compose/ha.yaml']) {
    const services = servicesOf(file)
    for (const [service, own] of roles) {
      const login = loginOf(rolesIn(own))
      assert.deepEqual(connectionsIn(services.get(service)), [[login, passwordOf(login)]], `${file} ${service}`)
    }
    const others = [...services].filter(([service]) => !roles.has(service)).flatMap(([, text]) => connectionsIn(text))
    const commands = read(file)
      .split('\n')
      .filter((line) => line.includes(`postgres://${loginOfCli}:`))
    assert.equal(commands.length, 1, file)
    const names = new Set(others.map(([login]) => login))
    names.delete(loginOfCli)
    assert.deepEqual([...names], ['ringproof_owner'], file)
  }
})

test('every unit of the Debian package has a file for the login of its roles, which is read last', () => {
  const files = readdirSync(join(deploy, 'debian')).filter((name) => /^ROLES=/m.test(read(`debian/${name}`)))
  assert.deepEqual(files.toSorted(), ['api.env', 'calls.env', 'keeper.env', 'webhooks.env'])
  for (const file of files) {
    const text = read(`debian/${file}`)
    const login = loginOf(rolesIn(/^ROLES=(.*)$/m.exec(text)?.[1] ?? ''))
    assert.deepEqual(text.match(/\bringproof_\w+/g), [login], file)
    assert.match(text, /^RINGPROOF_DATABASE_URL=$/m)
  }
  assert.match(read('debian/ringproof.env'), new RegExp(`\\b${loginForAll}\\b[^]*^RINGPROOF_DATABASE_URL=$`, 'm'))
  // Without it commands have the login of ringproof.env, which they cannot use.
  assert.match(read('debian/cli.env'), new RegExp(`^#RINGPROOF_DATABASE_URL=postgres://${loginOfCli}:`, 'm'))
  assert.match(read('debian/ringproof@.service'), /ringproof\.env\nEnvironmentFile=\/etc\/ringproof\/%i\.env$/m)
  assert.doesNotMatch(read('debian/process.conf'), /EnvironmentFile/)
})

test('create-roles.sql creates the groups, and each login in exactly the groups of its roles', () => {
  const sql = read('compose/create-roles.sql')
  const groups = [...sql.matchAll(/^CREATE ROLE (\w+) NOLOGIN;$/gm)].map(([, name]) => name)
  assert.deepEqual(groups, databaseRoles.map(groupOf))
  const created = sql.matchAll(
    /^\\getenv password (\w+)\n\\if :\{\?password\}\nCREATE ROLE (\w+) LOGIN PASSWORD :'password' IN ROLE (.*);\n/gm,
  )
  const found = [...created].map(([, variable, login = '', members]) => [login, { variable, members }] as const)
  const expected = [...processes(), [...processRoles]].map((roles) => [loginOf(roles), roles.map(groupOf)] as const)
  assert.deepEqual(
    new Map(found),
    new Map(
      [...expected, [loginOfCli, [groupOf('operator')]] as const].map(([login, members]) => [
        login,
        { variable: passwordOf(login), members: members.join(', ') },
      ]),
    ),
  )
  assert.equal(sql.match(/ LOGIN /g)?.length, found.length + 1, 'and the owner')
})

// Every combination of roles that something of ours runs.
function processes(): readonly (readonly ProcessRole[])[] {
  const compose = [...read('compose/compose.yaml').matchAll(/"--roles", "([a-z,]+)"/g)]
  const units = readdirSync(join(deploy, 'debian')).flatMap((name) => [
    ...read(`debian/${name}`).matchAll(/^ROLES=(.*)$/gm),
  ])
  const pods = /range \$component, \$roles := dict (.*) \}\}/.exec(read('chart/templates/processes.yaml'))?.[1] ?? ''
  const chart = [
    ...pods.matchAll(/"\w+" "([a-z,]+)"/g),
    ...read('chart/templates/node.yaml').matchAll(/serve, --roles, (\w+)\]/g),
  ]
  assert.deepEqual([compose.length, units.length, chart.length], [3, 4, 4])
  const texts = new Set([...compose, ...units, ...chart].map(([, text = '']) => text))
  return [...texts].map(rolesIn)
}

function rolesIn(text: string): readonly ProcessRole[] {
  const names = text.split(',')
  const roles = processRoles.filter((role) => names.includes(role))
  assert.equal(roles.length, names.length, text)
  return roles
}

// ringproof_api_web_login → DATABASE_API_WEB_PASSWORD.
function passwordOf(login: string): string {
  return `DATABASE_${login.replace(/^ringproof_|_login$/g, '').toUpperCase()}_PASSWORD`
}

function servicesOf(path: string): ReadonlyMap<string, string> {
  const text = read(path)
  const services = text.slice(text.indexOf('\nservices:'), text.indexOf('\nvolumes:'))
  return new Map(services.split(/^ {2}(?=\w)/m).map((one) => [/^[\w-]+/.exec(one)?.[0] ?? '', one]))
}

function connectionsIn(text = ''): readonly (readonly [login: string, variable: string])[] {
  return [...text.matchAll(/_URL: postgres:\/\/(\w+):\$\{(\w+):\?/g)].map(([, login = '', name = '']) => [login, name])
}
