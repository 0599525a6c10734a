// Every right of every database role: the catalogue against the lists below. A new table or function goes into one of
// them and into server/src/db/rights.sql, or stays with the owner.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../server/src/db/core/database.ts'
import { databaseRoles, groupOf } from '../../server/src/domain/core/database-role.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'

const executedByAll = [
  ...each('EXECUTE', 'make_partitions', 'clock_lead', 'is_clock_trusted', 'is_slot_here'),
  ...each('EXECUTE', 'record_key_rings', 'sealed_samples', 'has_verifications'),
]
const everybody = [
  ...executedByAll,
  ...each('SELECT', 'migrations', 'repeatable_migrations', 'schema_version', 'slot_moves', 'key_checks'),
]

const rights: Readonly<Record<(typeof databaseRoles)[number], readonly string[]>> = {
  api: [
    ...everybody,
    'SELECT installation(currency)',
    'SELECT installation(purpose)',
    ...each('SELECT', 'accounts', 'services', 'api_keys', 'service_usage', 'action_log', 'tariffs', 'tariff_prices'),
    ...each('SELECT', 'trunks', 'trunk_stops', 'caller_ranges', 'caller_quarantines', 'confirmation_numbers'),
    'SELECT verifications',
    ...each('SELECT', 'idempotency_keys', 'opt_outs', 'prefix_breakers', 'full_prefixes', 'virtual_phones'),
    'SELECT switch_overs',
    'UPDATE api_keys(last_used_at)',
    'SELECT fraud_hits',
    'INSERT fraud_hits',
    'UPDATE fraud_hits(hits)',
    ...['SELECT', 'INSERT'].map((verb) => `${verb} fraud_rule_hours`),
    ...columns('UPDATE', 'fraud_rule_hours', 'hits', 'last_at'),
    ...each('SELECT', 'fraud_limits', 'allowed_prefixes'),
    ...['SELECT', 'INSERT', 'UPDATE'].map((verb) => `${verb} client_hints`),
    ...each('INSERT', 'api_requests', 'api_request_counts'),
    'SELECT api_request_counts',
    ...columns('UPDATE', 'api_request_counts', 'requests', 'last_at'),
    ...each(
      'EXECUTE',
      'accept_calls',
      'accept_repeats',
      'start_inbound_requests',
      'undo_calls',
      'pin_verifications',
      'charge_lookups',
    ),
    ...each('EXECUTE', 'reserve_numbers', 'close_numbers', 'find_idempotency_keys', 'credit_payment'),
    'SELECT ladders',
    ...each('EXECUTE', 'accept_ladders', 'accept_rung', 'check_ladder', 'cancel_ladder', 'take_due_ladders'),
    ...each('EXECUTE', 'skip_ladder_mode', 'delay_ladder'),
    ...each('SELECT', 'payment_settings', 'page_payments'),
    'INSERT page_payments',
  ],
  calls: [
    ...everybody,
    'SELECT installation(currency)',
    'SELECT installation(purpose)',
    ...each('SELECT', 'tariffs', 'tariff_prices', 'trunks', 'trunk_stops', 'caller_ranges', 'caller_quarantines'),
    ...each('SELECT', 'confirmation_numbers', 'inbound_requests', 'prefix_breakers', 'full_prefixes'),
    ...each('SELECT', 'fraud_limits', 'allowed_prefixes'),
    ...each('SELECT', 'virtual_phones', 'virtual_phone_faults', 'switch_overs'),
    ...columns('SELECT', 'verifications', 'id', 'account_id', 'price'),
    ...['SELECT', 'INSERT', 'UPDATE'].flatMap((verb) => each(verb, 'trunk_states', 'route_minutes')),
    'SELECT trunk_tests',
    ...columns('UPDATE', 'trunk_tests', 'rang_after_ms', 'messages', 'outcome', 'sip_status', 'ended_at'),
    'INSERT sip_messages',
    ...each('EXECUTE', 'claim_calls', 'note_rang', 'end_calls', 'match_inbound_calls', 'close_numbers'),
    ...each('EXECUTE', 'count_return_paths', 'count_unmatched_calls', 'note_test_call'),
  ],
  webhooks: [
    ...everybody,
    'SELECT installation(currency)',
    'SELECT installation(purpose)',
    ...each('SELECT', 'webhooks', 'virtual_phone_faults'),
    ...columns('UPDATE', 'webhooks', 'state', 'reason', 'due_at', 'attempts', 'ended_at'),
    'INSERT webhook_attempts',
    ...columns('SELECT', 'services', 'id', 'account_id', 'webhook_secret_sealed', 'webhook_secret_before_sealed'),
    'SELECT services(webhook_secret_before_until)',
  ],
  keeper: [
    ...everybody,
    ...each('EXECUTE', 'sweep_calls', 'sweep_inbound_requests', 'keep_partitions', 'keep_days'),
    ...each('EXECUTE', 'forget_numbers', 'forget_webhooks', 'forget_prefix_usage', 'forget_fraud_hits'),
    ...each('EXECUTE', 'count_calls', 'forget_call_counts'),
    'EXECUTE forget_sip_messages',
    ...each('EXECUTE', 'drop_api_request_hour', 'forget_api_request_counts'),
    ...each('EXECUTE', 'roll_up_prefixes', 'prefix_windows', 'prefix_sums', 'measure_database', 'chain_actions'),
    ...['SELECT', 'INSERT', 'UPDATE', 'DELETE'].flatMap((verb) =>
      each(verb, 'prefix_breakers', 'full_prefixes', 'fraud_progress', 'notice_conditions', 'notice_messages'),
    ),
    ...each('SELECT', 'route_minutes', 'trunks', 'caller_ranges', 'caller_quarantines', 'trunk_states'),
    'DELETE route_minutes',
    'INSERT action_log',
    ...['SELECT', 'INSERT', 'UPDATE', 'DELETE'].flatMap((verb) => each(verb, 'route_usuals', 'switch_overs')),
    'SELECT switch_over_control',
    ...columns('UPDATE', 'switch_over_control', 'evaluated_at', 'usual_to'),
    'EXECUTE find_notice_conditions',
    ...each('SELECT', 'fraud_limits', 'allowed_prefixes'),
    ...each('SELECT', 'notice_mutes', 'notice_webhooks', 'memberships', 'installation'),
    ...columns('SELECT', 'users', 'id', 'email', 'language', 'telegram_id', 'telegram_since'),
  ],
  web: [
    ...everybody,
    ...each('SELECT', 'users'),
    ...each('DELETE', 'users'),
    ...columns('INSERT', 'users', 'email', 'name', 'language', 'password_hash', 'terms_version', 'terms_accepted_at'),
    'INSERT users(signed_up_at)',
    ...columns('UPDATE', 'users', 'name', 'language', 'password_hash', 'totp_sealed', 'totp_since', 'totp_step'),
    ...columns('UPDATE', 'users', 'telegram_id', 'telegram_name', 'telegram_since', 'browser_generation'),
    'EXECUTE set_operator_role',
    ...['SELECT', 'INSERT', 'UPDATE', 'DELETE'].flatMap((verb) =>
      each(verb, 'memberships', 'web_sessions', 'one_time_links', 'recovery_codes', 'passkeys', 'telegram_codes'),
    ),
    ...['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map((verb) => `${verb} sign_in_failures`),
    'SELECT installation',
    ...columns('UPDATE', 'installation', 'name', 'support_address', 'terms_url', 'privacy_url', 'terms_version'),
    ...columns('UPDATE', 'installation', 'is_sign_up_open', 'purpose'),
    'SELECT payment_settings',
    'UPDATE payment_settings',
    ...['SELECT', 'INSERT', 'UPDATE'].map((verb) => `${verb} legal_details`),
    ...['SELECT', 'INSERT'].map((verb) => `${verb} invoices`),
    ...each(
      'SELECT',
      'accounts',
      'account_emails',
      'services',
      'api_keys',
      'service_usage',
      'action_log',
      'action_chain',
      'client_hints',
    ),
    ...each('SELECT', 'start_steps', 'tariffs', 'verifications', 'webhooks', 'webhook_attempts', 'slot_counters'),
    ...each('SELECT', 'api_requests', 'api_request_counts'),
    ...columns('INSERT', 'accounts', 'id', 'email', 'tariff'),
    ...columns(
      'UPDATE',
      'accounts',
      'name',
      'time_zone',
      'two_auth',
      'telegram_id',
      'must_verify_phone',
      'active_at',
      'closed_at',
      'tariff',
      'blocked_at',
    ),
    'EXECUTE move_money',
    ...each('INSERT', 'tariff_prices', 'trunk_costs', 'tariffs'),
    'SELECT trunk_costs',
    'SELECT announcements',
    'INSERT announcements',
    ...columns('UPDATE', 'announcements', 'ended_at', 'stop_began_at'),
    ...columns('SELECT', 'fraud_hits', 'minute', 'rule', 'service_id', 'hits'),
    ...each('INSERT', 'account_emails', 'action_log', 'start_steps', 'services', 'api_keys'),
    ...each('UPDATE', 'slot_counters', 'services', 'api_keys'),
    'DELETE api_keys',
    ...each('SELECT', 'tariff_prices', 'trunks', 'call_minutes', 'call_hours', 'network_hours', 'call_count_marks'),
    ...each('SELECT', 'idempotency_keys', 'ledger', 'ledger_days', 'payment_references'),
    ...each('EXECUTE', 'count_range', 'ring_delay_steps', 'charged_failures', 'is_conclusive', 'id_epoch'),
    'EXECUTE charge_lookups_once',
    'SELECT sip_messages',
    ...['SELECT', 'INSERT', 'DELETE'].map((verb) => `${verb} notice_mutes`),
    'INSERT notice_messages',
    ...['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map((verb) => `${verb} notice_webhooks`),
    ...each('SELECT', 'trunk_stops', 'prefix_breakers', 'full_prefixes'),
    ...each('SELECT', 'fraud_limits', 'allowed_prefixes', 'fraud_hits', 'fraud_rule_hours', 'opt_outs'),
    ...each('INSERT', 'fraud_limits', 'allowed_prefixes', 'opt_outs'),
    'UPDATE fraud_limits',
    ...columns('UPDATE', 'prefix_breakers', 'phase', 'since'),
    ...each('DELETE', 'allowed_prefixes', 'opt_outs'),
    ...['SELECT', 'INSERT', 'DELETE'].flatMap((verb) =>
      each(verb, 'caller_ranges', 'caller_quarantines', 'confirmation_numbers'),
    ),
    'UPDATE confirmation_numbers(removed_at)',
    ...columns(
      'SELECT',
      'inbound_requests',
      'id',
      'account_id',
      'is_test',
      'confirmation_number',
      'until',
      'is_active',
    ),
    'SELECT unmatched_calls',
    ...each('EXECUTE', 'try_call', 'try_reservation'),
    ...['SELECT', 'INSERT', 'UPDATE'].map((verb) => `${verb} virtual_phones`),
    ...['SELECT', 'INSERT', 'DELETE'].map((verb) => `${verb} virtual_phone_faults`),
    ...columns('UPDATE', 'webhooks', 'state', 'reason', 'due_at', 'ended_at', 'attempts_before'),
    ...['INSERT', 'UPDATE', 'DELETE'].map((verb) => `${verb} trunks`),
    ...each('DELETE', 'trunk_return_paths', 'trunk_stops', 'trunk_tests'),
    ...each('INSERT', 'trunk_stops', 'trunk_tests'),
    ...each('SELECT', 'trunk_return_paths', 'trunk_states', 'trunk_tests'),
    'UPDATE trunk_tests(seen_digits)',
    ...['SELECT', 'UPDATE'].flatMap((verb) => each(verb, 'switch_overs', 'switch_over_control')),
    ...each('SELECT', 'route_minutes', 'sweep_marks'),
  ],
  operator: [
    'UPDATE installation(purpose)',
    ...executedByAll,
    // Rights on every table, and on the partitions that existed at the time of the grant; filled in below.
    ...columns('INSERT', 'accounts', 'id', 'email', 'tariff'),
    ...columns(
      'UPDATE',
      'accounts',
      'tariff',
      'blocked_at',
      'closed_at',
      'must_verify_phone',
      'active_at',
      'two_auth',
      'telegram_id',
    ),
    ...columns('UPDATE', 'users', 'totp_sealed', 'totp_since', 'telegram_id', 'telegram_name', 'telegram_since'),
    ...each('DELETE', 'recovery_codes', 'passkeys', 'web_sessions'),
    ...each('INSERT', 'account_emails', 'action_log', 'tariff_prices', 'one_time_links'),
    'INSERT trunk_costs',
    'INSERT announcements',
    ...columns('UPDATE', 'announcements', 'ended_at', 'stop_began_at'),
    'UPDATE slot_counters',
    'UPDATE payment_settings',
    'UPDATE legal_details(details_sealed)',
    ...columns('UPDATE', 'invoices', 'buyer_sealed', 'paid_at'),
    'UPDATE one_time_links(valid_until)',
    'DELETE one_time_links',
    ...['INSERT', 'DELETE'].map((verb) => `${verb} key_checks`),
    'UPDATE key_checks(activated_at)',
    ...['services', 'tariffs', 'api_keys', 'trunks'].flatMap((table) => [`INSERT ${table}`, `UPDATE ${table}`]),
    ...each(
      'DELETE',
      'api_keys',
      'trunks',
      'caller_ranges',
      'caller_quarantines',
      'confirmation_numbers',
      'trunk_stops',
    ),
    ...each('DELETE', 'trunk_return_paths', 'opt_outs'),
    ...each('UPDATE', 'switch_overs', 'switch_over_control'),
    'INSERT opt_outs',
    ...each('INSERT', 'caller_ranges', 'caller_quarantines', 'confirmation_numbers', 'trunk_stops'),
    'UPDATE confirmation_numbers(removed_at)',
    ...columns('UPDATE', 'webhooks', 'state', 'reason', 'due_at', 'ended_at', 'attempts_before'),
    ...columns('UPDATE', 'verifications', 'person_sealed'),
    ...['fraud_hits', 'allowed_prefixes'].map((table) => `UPDATE ${table}(prefix_sealed)`),
    ...each('INSERT', 'fraud_limits', 'allowed_prefixes'),
    ...each('UPDATE', 'fraud_limits', 'prefix_breakers(phase)', 'prefix_breakers(since)'),
    'DELETE allowed_prefixes',
    ...['inbound_requests', 'webhooks'].map((table) => `UPDATE ${table}(callback_sealed)`),
    ...columns('UPDATE', 'notice_webhooks', 'url_sealed', 'secret_sealed'),
    ...each('EXECUTE', 'move_money', 'confirm_clock', 'erase_persons', 'erase_number'),
    ...each('EXECUTE', 'newest_moment', 'finish_restore', 'try_call', 'try_reservation', 'id_epoch'),
    ...each('EXECUTE', 'count_range', 'ring_delay_steps', 'charged_failures', 'is_conclusive'),
  ],
}

const { url, ownerUrl } = await testDatabase()
const pools = new Map(databaseRoles.map((role) => [role, connect(url, undefined, role)]))
atEnd(async () => {
  for (const pool of pools.values()) await pool.end()
})

for (const role of databaseRoles) {
  test(`${groupOf(role)} has exactly its listed rights`, async () => {
    const tables = role === 'operator' ? await tableNames() : []
    const expected = [...rights[role], ...each('SELECT', ...tables)]
    assert.deepEqual(await grantedTo(groupOf(role)), expected.toSorted())
  })

  test(`${groupOf(role)} cannot change money, history or the server`, async () => {
    const pool = pools.get(role)
    assert(pool)
    const { rows } = await pool.query<{ name: string }>('SELECT current_user AS name')
    assert.equal(rows[0]?.name, groupOf(role))
    const money = ['ledger', 'ledger_days', 'verifications', 'ladders', 'idempotency_keys', 'migrations']
    for (const statement of [
      ...(await updatesOf(money)),
      ...money.map((table) => `DELETE FROM ${table}`),
      ...money.map((table) => `INSERT INTO ${table} DEFAULT VALUES`),
      ...['accounts', ...money].map((table) => `TRUNCATE ${table}`),
      'UPDATE accounts SET balance = balance + 1',
      'UPDATE accounts SET held = 0',
      'DELETE FROM accounts',
      'INSERT INTO accounts (id, email, balance) VALUES (64, $$thief@example.org$$, 1000000)',
      `COPY accounts TO PROGRAM 'true'`,
      `COPY accounts FROM '/etc/passwd'`,
      'CREATE TABLE mine (id integer)',
      'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$SELECT 1$$',
      `SELECT setval('id_ticks', 1)`,
      'SELECT next_id(0)',
      `SELECT make_partition('ledger', 1, 1, '')`,
    ]) {
      await assert.rejects(pool.query(statement), { code: '42501' }, `${role}: ${statement}`)
    }
  })
}

test('nothing is granted to PUBLIC, or directly to the all-in-one login', async () => {
  assert.deepEqual(await grantedTo(undefined), [])
  assert.deepEqual(await grantedTo('ringproof_app'), [])
})

test('the groups have no login, no attributes and no members but ours', async () => {
  const { rows } = await asOwner((client) =>
    client.query<{ name: string }>(
      `SELECT rolname AS name FROM pg_roles AS r
       WHERE rolname = ANY ($1) AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication
         OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid))`,
      [databaseRoles.map(groupOf)],
    ),
  )
  assert.deepEqual(rows, [])
})

test('every SECURITY DEFINER function searches pg_catalog and public first, and temporary objects last', async () => {
  const { rows } = await asOwner(
    (client) =>
      client.query<{ name: string; path: string | null }>(
        `SELECT proname AS name, (SELECT c FROM unnest(proconfig) AS c WHERE c LIKE 'search_path=%') AS path
         FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
      ),
    ownerUrl,
  )
  assert(rows.length >= 15)
  const safe = new Set(['search_path=public, pg_temp', 'search_path=pg_catalog, pg_temp'])
  assert.deepEqual(
    rows.filter(({ path }) => !safe.has(String(path))),
    [],
  )
})

function each(verb: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${verb} ${name}`)
}

function columns(verb: string, table: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${verb} ${table}(${name})`)
}

// Everything in the schema that was granted to a role by name, or to PUBLIC.
async function grantedTo(role: string | undefined): Promise<readonly string[]> {
  const { rows } = await asOwner(
    (client) =>
      client.query<{ granted: string }>(
        `WITH grantee AS (SELECT coalesce((SELECT oid FROM pg_roles WHERE rolname = $1), 0) AS oid)
         SELECT a.privilege_type || ' ' || relname AS granted FROM grantee, pg_class, aclexplode(relacl) AS a
         WHERE relnamespace = 'public'::regnamespace AND NOT relispartition AND a.grantee = grantee.oid
         UNION ALL
         SELECT a.privilege_type || ' ' || relname || '(' || attname || ')'
         FROM grantee, pg_class JOIN pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl) AS a
         WHERE relnamespace = 'public'::regnamespace AND a.grantee = grantee.oid
         UNION ALL
         SELECT a.privilege_type || ' ' || proname
         FROM grantee, pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a
         WHERE pronamespace = 'public'::regnamespace AND a.grantee = grantee.oid
         ORDER BY 1`,
        [role ?? null],
      ),
    ownerUrl,
  )
  return rows.map(({ granted }) => granted).toSorted()
}

async function tableNames(): Promise<readonly string[]> {
  const { rows } = await asOwner(
    (client) =>
      client.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition`,
      ),
    ownerUrl,
  )
  return rows.map(({ name }) => name)
}

// Rights on single columns.
async function updatesOf(tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await asOwner(
    (client) =>
      client.query<{ statement: string }>(
        `SELECT format('UPDATE %I SET %I = NULL', t, attname) AS statement
         FROM unnest($1::text[]) AS t JOIN pg_attribute ON attrelid = t::regclass AND attnum = 1`,
        [tables],
      ),
    ownerUrl,
  )
  assert.equal(rows.length, tables.length)
  return rows.map(({ statement }) => statement)
}
