// Which tables hold rows of a slot, and how the slot follows from a row. `ringproof slots move` copies these; parents come before
// the tables that refer to them. tests/integration/slot-move.test.ts compares both lists with the catalogue, so that a new
// table is in one of them.

export type SlotTable = {
  readonly name: string
  // SQL; {row} stands for nothing, or for NEW. or OLD.
  readonly slot: string
  // Rows with the same key are copied together. Where there is an index, it begins with these columns.
  readonly key: readonly string[]
}

const ofVerification = '(({row}id >> 17) & 63)'
const ofAccount = '({row}account_id % 64)'
const ofService = '({row}service_id % 64)'
const ofOwnId = '({row}id % 64)'
const ofNumber = '{row}slot'
// As slotOfDigest.
const ofDigest = '(get_byte({row}digest, 3) & 63)'

export const slotTables: readonly SlotTable[] = [
  table('slot_counters', '{row}slot', 'slot'),
  table('accounts', ofOwnId, 'id'),
  table('services', ofOwnId, 'id'),
  table('start_steps', ofAccount, 'account_id', 'step'),
  table('legal_details', ofOwnId, 'id'),
  table('api_keys', ofService, 'service_id', 'digest'),
  table('client_hints', ofService, 'service_id'),
  table('service_usage', ofService, 'service_id'),
  table('prefix_usage', ofService, 'service_id', 'prefix'),
  table('fraud_hits', ofService, 'minute', 'rule', 'service_id', 'prefix'),
  table('payment_references', ofAccount, 'account_id', 'reference'),
  table('ledger', ofVerification, 'id', 'sequence'),
  table('ledger_days', ofAccount, 'account_id', 'day', 'from_account', 'to_account'),
  table('verifications', ofVerification, 'id'),
  table('ladders', ofVerification, 'id'),
  table('idempotency_keys', ofService, 'service_id', 'digest', 'id'),
  table('inbound_requests', ofVerification, 'id'),
  table('webhooks', ofVerification, 'id'),
  table('webhook_attempts', ofVerification, 'id', 'attempt'),
  table('sip_messages', ofVerification, 'id', 'attempt'),
  table('subscriber_numbers', ofNumber, 'hash'),
  table('opt_outs', ofDigest, 'digest'),
  table('call_minutes', ofAccount, 'account_id', 'minute'),
  table('call_hours', ofAccount, 'account_id', 'hour'),
  table('api_requests', ofAccount, 'account_id', 'at', 'id'),
  table(
    'api_request_counts',
    ofAccount,
    'account_id',
    'since',
    'service_id',
    'is_test',
    'method',
    'refusal',
    'subject',
    'ms_max',
  ),
]

export const stayingTables = [
  // Of a database, not of a slot.
  'migrations repeatable_migrations schema_version clock_mark sweep_marks call_count_marks slot_moves',
  'slot_changes restores key_checks',
  // Chained in the order in which this database wrote them: to move an entry would break the chain.
  'action_log action_chain',
  // Sums over all accounts, which are added up over all databases.
  'prefix_minutes fraud_progress fraud_rule_hours network_hours',
  // Used in the global database only, which keeps slot 0.
  'account_emails tariffs tariff_prices trunks trunk_states trunk_return_paths trunk_stops',
  'caller_ranges caller_quarantines confirmation_numbers trunk_tests trunk_costs unmatched_calls',
  'prefix_breakers full_prefixes fraud_limits allowed_prefixes route_minutes route_usuals switch_overs',
  'switch_over_control installation users memberships web_sessions one_time_links recovery_codes',
  'passkeys telegram_codes sign_in_failures virtual_phones virtual_phone_faults notice_conditions',
  'notice_messages notice_mutes notice_webhooks payment_settings page_payments invoices',
  'announcements',
].flatMap((names) => names.split(' '))

// The slot of a row as SQL.
export function slotSql({ slot }: SlotTable, row: '' | 'NEW.' | 'OLD.' = ''): string {
  return slot.replaceAll('{row}', row)
}

function table(name: string, slot: string, ...key: readonly string[]): SlotTable {
  return { name, slot, key }
}
