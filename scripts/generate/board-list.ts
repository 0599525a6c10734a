// The boards as lists of panels. Counters and histograms are summed over all processes. Gauges of databases and trunks that every
// process reports alike are taken once, with max.

export type Board = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly panels: readonly Panel[]
}

export type Panel = {
  readonly title: string
  // When to worry.
  readonly description: string
  // Of Grafana.
  readonly unit: string
  readonly queries: readonly { readonly legend: string; readonly expression: string }[]
}

type Queries = Readonly<Record<string, string>>

const business: Board = {
  name: 'business',
  title: 'Business',
  description: 'Verifications, money, limits.',
  panels: [
    panel('Calls per minute', 'Final outcomes, without test calls.', 'short', {
      '{{mode}} {{outcome}}': `sum by (mode, outcome) (rate(ringproof_calls_total{trunk!="test",outcome!="next-trunk"}[$__rate_interval])) * 60`,
    }),
    panel('Success rate', 'Calls that succeeded, of those that ended.', 'percentunit', {
      '{{mode}}': `sum by (mode) (rate(ringproof_calls_total{trunk!="test",outcome="succeeded"}[$__rate_interval])) / sum by (mode) (rate(ringproof_calls_total{trunk!="test",outcome!="next-trunk"}[$__rate_interval]))`,
    }),
    panel('Charged per hour', 'Amount captured. Alert: SpendAnomaly.', 'none', {
      '{{mode}}': 'sum by (mode) (rate(ringproof_charged_amount_total[$__rate_interval])) * 3600',
    }),
    panel('Held', 'Amount held for verifications in progress.', 'none', {
      'database {{database}}': 'max by (database) (ringproof_held_amount)',
    }),
    panel('Time to the outcome', 'At most 60 s by contract. Alert: SettleSlow.', 's', {
      'p50 {{mode}}': quantile(0.5, 'mode', 'ringproof_call_settle_seconds_bucket'),
      'p99 {{mode}}': quantile(0.99, 'mode', 'ringproof_call_settle_seconds_bucket'),
    }),
    panel('Verifications in progress', 'Calls and inbound requests that are not over.', 'short', {
      'all, database {{database}}': 'max by (database) (ringproof_verifications_active)',
      'inbound, database {{database}}': 'max by (database) (ringproof_inbound_requests_active)',
    }),
    panel('Inbound calls per minute', 'Matched, or why not.', 'short', {
      '{{outcome}}': 'sum by (outcome) (rate(ringproof_inbound_calls_total[$__rate_interval])) * 60',
    }),
    panel('Fraud rules per minute', 'Requests refused. Alert: FraudSpike.', 'short', {
      '{{rule}}': 'sum by (rule) (rate(ringproof_fraud_blocks_total[$__rate_interval])) * 60',
    }),
    panel('Repeats and retries per minute', 'initRepeat, and initCall with a known idempotency key.', 'short', {
      repeats: 'sum(rate(ringproof_repeat_calls_total[$__rate_interval])) * 60',
      'idempotent replays': 'sum(rate(ringproof_idempotent_replays_total[$__rate_interval])) * 60',
    }),
    panel('Codes without a caller number', 'Must be 0. Alert: CodeUncovered.', 'short', {
      '{{country}}': 'max by (country) (ringproof_caller_codes_missing)',
    }),
  ],
}

const trunks: Board = {
  name: 'trunks',
  title: 'Trunks',
  description: 'SIP KPIs by trunk, as in RFC 6076: ring-through, ASR, NER, ACD, post-dial delay, channels.',
  panels: [
    panel('Trunk up', '1 while a node reaches the carrier. Alert: TrunkDown.', 'short', {
      '{{trunk}} from {{instance}}': 'ringproof_trunk_up',
    }),
    panel(
      'Signalling edge',
      '1 while it responds, and its restarts in an hour. Alerts: EdgeDown, EdgeRestarts.',
      'short',
      {
        'up, {{instance}}': 'ringproof_edge_up',
        'restarts, {{instance}}': 'increase(ringproof_edge_restarts_total[1h])',
      },
    ),
    panel('Calls over the edge', 'Flash calls in progress, by node.', 'short', {
      '{{instance}}': 'ringproof_edge_legs',
    }),
    panel('Kill switch', '1 while all trunks are stopped. Alert: TrunksStopped.', 'short', {
      stopped: 'max(ringproof_trunks_stopped)',
    }),
    panel('Ring-through', 'Attempts that rang. Alert: RingThroughDrop.', 'percentunit', {
      '{{trunk}}': 'ringproof:ring_through:ratio5m',
      '{{trunk}}, 1 h': 'ringproof:ring_through:ratio1h',
    }),
    panel(
      'NER',
      'Attempts that the carrier did not refuse for its own reasons. Above 95 % is healthy.',
      'percentunit',
      {
        '{{trunk}}': 'ringproof:ner:ratio5m',
      },
    ),
    panel('ASR', 'Attempts that were answered. High for flash is bad: UnwantedAnswersHigh.', 'percentunit', {
      '{{trunk}} {{mode}}': 'ringproof:asr:ratio5m',
    }),
    panel('ACD', 'Average duration of answered calls, 1 h.', 's', { '{{trunk}} {{mode}}': 'ringproof:acd:seconds1h' }),
    panel('Post-dial delay', 'From dialling to ringing. Below 3 s is healthy. Alert: PddHigh.', 's', {
      'p50 {{trunk}}': quantile(0.5, 'trunk', 'ringproof_call_post_dial_delay_seconds_bucket'),
      'p95 {{trunk}}': 'ringproof:pdd:p95_5m',
    }),
    panel('Ringing', 'How long phones ring.', 's', {
      'p50 {{trunk}}': quantile(0.5, 'trunk', 'ringproof_call_ring_seconds_bucket'),
    }),
    panel('Attempts per minute', 'By trunk and outcome; next-trunk: refused, and tried elsewhere.', 'short', {
      '{{trunk}} {{outcome}}': 'sum by (trunk, outcome) (rate(ringproof_calls_total[$__rate_interval])) * 60',
    }),
    panel('Refusals per minute', 'Final SIP statuses. Alert: Sip503Rate.', 'short', {
      '{{trunk}} {{sip_status}}': `sum by (trunk, sip_status) (rate(ringproof_calls_total{sip_status!="none"}[$__rate_interval])) * 60`,
    }),
    panel('Channels in use', 'Alert above 80 %: ChannelsNearLimit.', 'percentunit', {
      '{{trunk}}': 'ringproof:channels:ratio',
    }),
    panel('Channels', 'In use, and the limit.', 'short', {
      '{{trunk}} in use': 'sum by (trunk) (ringproof_trunk_channels_active)',
      '{{trunk}} limit': 'max by (trunk) (ringproof_trunk_channels_max)',
    }),
    panel('Call queue', 'Call orders in NATS: waiting, or being placed.', 'short', {
      '{{trunk}}': 'max by (trunk) (ringproof_call_queue_depth)',
    }),
    panel('Caller numbers', 'By trunk.', 'short', { '{{trunk}}': 'max by (trunk) (ringproof_caller_numbers)' }),
    panel('Return path of inbound UDP calls', 'Unconfirmed calls may have a forged source.', 'short', {
      '{{trunk}} {{outcome}}':
        'sum by (trunk, outcome) (rate(ringproof_inbound_return_path_total[$__rate_interval])) * 60',
    }),
  ],
}

const api: Board = {
  name: 'api',
  title: 'API and webhooks',
  description: 'Requests, refusals, webhook delivery.',
  panels: [
    panel('Requests per second', 'By method.', 'reqps', {
      '{{api_method}}': 'sum by (api_method) (rate(ringproof_http_request_duration_seconds_count[$__rate_interval]))',
    }),
    panel('Response time', 'Of all methods, and p99 of each.', 's', {
      p50: quantile(0.5, '', 'ringproof_http_request_duration_seconds_bucket'),
      'p99 {{api_method}}': quantile(0.99, 'api_method', 'ringproof_http_request_duration_seconds_bucket'),
    }),
    panel('5xx of all requests', 'Alert above 1.44 %: ErrorBudgetBurn.', 'percentunit', {
      '5 min': 'ringproof:api_errors:ratio5m',
      '1 h': 'ringproof:api_errors:ratio1h',
    }),
    panel('Refusals per minute', 'By response code; docs/reference/errors.md explains each.', 'short', {
      '{{code}} ({{http_status}})': `sum by (code, http_status) (rate(ringproof_http_request_duration_seconds_count{code!="200"}[$__rate_interval])) * 60`,
    }),
    panel('Code 5 per minute', 'Service unavailable, by cause.', 'short', {
      '{{cause}}': 'sum by (cause) (rate(ringproof_unavailable_total[$__rate_interval])) * 60',
    }),
    panel('Rate limits per minute', 'Requests refused, by rule.', 'short', {
      '{{rule}}': 'sum by (rule) (rate(ringproof_rate_limited_total[$__rate_interval])) * 60',
    }),
    panel('Webhook attempts per minute', 'delivered, again (retried later) or dead.', 'short', {
      '{{outcome}}': 'sum by (outcome) (rate(ringproof_webhook_attempts_total[$__rate_interval])) * 60',
    }),
    panel('Webhook response time', 'Of the receivers.', 's', {
      'p50 {{outcome}}': quantile(0.5, 'outcome', 'ringproof_webhook_attempt_duration_seconds_bucket'),
      'p99 {{outcome}}': quantile(0.99, 'outcome', 'ringproof_webhook_attempt_duration_seconds_bucket'),
    }),
    panel('Webhooks due', 'Not delivered and not dead.', 'short', {
      'database {{database}}': 'max by (database) (ringproof_webhooks_due)',
    }),
    panel('Webhook delay', 'How long the first due webhook has waited. Alert above 60 s: WebhookBacklog.', 's', {
      'database {{database}}': 'max by (database) (ringproof_webhook_delay_seconds)',
    }),
  ],
}

const runtime: Board = {
  name: 'runtime',
  title: 'Runtime',
  description: 'Databases, keeper, NATS, processes, files.',
  panels: [
    panel('Processes', '1 while Prometheus reaches it. Alert: ProcessDown.', 'short', {
      '{{instance}}': `up{job="ringproof"}`,
    }),
    panel('Versions', 'Two during an upgrade.', 'short', {
      '{{version}}': 'count by (version) (ringproof_build_info)',
    }),
    panel('Health', 'As the API sees it. Alerts: DatabaseDown, CallQueueDown.', 'short', {
      'database, {{instance}}': 'ringproof_database_up',
      'pool, {{instance}}': 'ringproof_database_pool_up',
      'NATS, {{instance}}': 'ringproof_bus_up',
      'event loop, {{instance}}': 'ringproof_event_loop_up',
    }),
    panel('Database connections', 'Waiting must be 0. Alert: DbPoolSaturated.', 'short', {
      '{{role}} {{state}}': 'sum by (role, state) (ringproof_database_connections)',
    }),
    panel('Clock offset of the databases', 'Alert above 1 s: ClockSkew.', 's', {
      'database {{database}} from {{instance}}': 'ringproof_database_clock_offset_seconds',
      'trusted, database {{database}}': 'min by (database) (ringproof_database_clock_trusted)',
    }),
    panel('Keeper', 'Age of the last sweep, and lag of overdue calls. Alert: KeeperLate.', 's', {
      'last sweep, database {{database}}':
        'time() - max by (database) (ringproof_keeper_last_sweep_timestamp_seconds > 0)',
      'lag, database {{database}}': 'max by (database) (ringproof_keeper_lag_seconds)',
    }),
    panel('Overdue verifications', 'Past their deadline, not ended yet; and failed sweeps per minute.', 'short', {
      'overdue, database {{database}}': 'max by (database) (ringproof_keeper_overdue_verifications)',
      'failed sweeps, database {{database}}':
        'sum by (database) (rate(ringproof_keeper_sweep_failures_total[$__rate_interval])) * 60',
    }),
    panel('Last housekeeping', 'Age. A round starts every 10 minutes. Alert: HousekeepingStale.', 's', {
      'database {{database}}': 'time() - max by (database) (ringproof_keeper_last_housekeeping_timestamp_seconds > 0)',
    }),
    panel('Event loop lag', 'p99 between two scrapes. Alert: EventLoopLag.', 's', {
      '{{instance}}': `nodejs_eventloop_lag_p99_seconds{job="ringproof"}`,
    }),
    panel('CPU', 'Cores in use.', 'short', {
      '{{instance}}': `rate(process_cpu_seconds_total{job="ringproof"}[$__rate_interval])`,
    }),
    panel('Memory', 'Resident.', 'bytes', { '{{instance}}': `process_resident_memory_bytes{job="ringproof"}` }),
    panel('GC pauses', 'Seconds of GC per second.', 'percentunit', {
      '{{instance}}': `sum by (instance) (rate(nodejs_gc_duration_seconds_sum{job="ringproof"}[$__rate_interval]))`,
    }),
    panel('Log lines dropped', 'In 10 minutes. Alert: LogLinesDropped.', 'short', {
      '{{instance}}': 'increase(ringproof_log_lines_dropped_total[10m])',
    }),
    panel('Age of the numbering registry', 'Since the last check, and since the import. Alert: RegistryStale.', 's', {
      checked: 'time() - max(ringproof_registry_checked_timestamp_seconds)',
      'imported, {{instance}}': 'time() - ringproof_registry_imported_timestamp_seconds',
    }),
    panel('Ranges of the numbering registry', 'A sudden drop is a damaged file.', 'short', {
      '{{registry}}': 'min by (registry) (ringproof_registry_ranges)',
    }),
    panel('Registry fetches', 'In a day, by result.', 'short', {
      '{{result}}': 'sum by (result) (increase(ringproof_registry_fetches_total[1d]))',
    }),
    panel('Age of the newest backup', 'Alert after 26 h: BackupStale.', 's', {
      '{{stanza}}': 'time() - max by (stanza) (ringproof_backup_last_success_timestamp_seconds)',
    }),
    panel('Certificates expire in', 'Alert below 14 days: CertExpiring.', 's', {
      '{{setting}}': 'min by (setting) (ringproof_certificate_expiry_timestamp_seconds) - time()',
    }),
  ],
}

export const boardList: readonly Board[] = [business, trunks, api, runtime]

// Queries by legend.
function panel(title: string, description: string, unit: string, queries: Queries): Panel {
  const listed = Object.entries(queries).map(([legend, expression]) => ({ legend, expression }))
  return { title, description, unit, queries: listed }
}

function quantile(part: number, label: string, buckets: string): string {
  const by = label === '' ? 'le' : `${label}, le`
  return `histogram_quantile(${part}, sum by (${by}) (rate(${buckets}[$__rate_interval])))`
}
