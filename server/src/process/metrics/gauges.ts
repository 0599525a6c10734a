// Metrics of states rather than events: trunks, databases, connections, clocks, health. Kept in memory as they were last reported, or read at
// every scrape.

import { Counter, Gauge, type Registry } from 'prom-client'

const healthParts = ['database', 'bus', 'pool', 'eventLoop'] as const

export type GaugeEvents = {
  // The calls that this node is placing over a trunk.
  readonly channelsUsed: (trunk: string, channels: number) => void
  // The call orders of every trunk: waiting, or being placed.
  readonly queuesMeasured: (orders: ReadonlyMap<string, number>) => void
  // Whether this node reaches the carrier.
  readonly trunkSeen: (trunk: string, isUp: boolean) => void
  readonly databaseMeasured: (database: string, measured: DatabaseMeasures) => void
  readonly databaseClockMeasured: (measured: {
    readonly database: number
    readonly offsetSeconds: number
    readonly isTrusted: boolean
  }) => void
  // The health of this process and its dependencies.
  readonly healthSeen: (health: Readonly<Record<(typeof healthParts)[number], boolean>>) => void
  // Read at every scrape.
  readonly watchRouting: (read: () => RoutingFigures) => void
  readonly watchConnections: (read: () => readonly ConnectionCounts[]) => void
  // Only by a node with a signalling edge.
  readonly watchEdge: (read: () => EdgeCounts) => void
}

// What a database has in progress, and what is late.
type DatabaseMeasures = {
  readonly heldAmount: number
  readonly activeVerifications: number
  readonly activeInboundRequests: number
  // Past their deadline and not ended; and for how long the first of them.
  readonly overdueVerifications: number
  readonly overdueSeconds: number
  readonly dueWebhooks: number
  // How long the first of them has been due.
  readonly webhookDelaySeconds: number
}

type RoutingFigures = {
  readonly trunks: readonly { readonly trunk: string; readonly channels: number; readonly isOn: boolean }[]
  readonly missingCodes: ReadonlyMap<string, number>
  // By trunk.
  readonly callerNumbers: ReadonlyMap<string, number>
}

export type ConnectionCounts = {
  readonly role: string
  readonly state: 'busy' | 'idle' | 'waiting'
  readonly count: number
}

type EdgeCounts = { readonly isUp: boolean; readonly legs: number; readonly restarts: number }

export function gaugeEvents(registry: Registry): GaugeEvents {
  return {
    ...trunkGauges(registry),
    ...edgeMetrics(registry),
    ...databaseGauges(registry),
    ...connectionGauges(registry),
    ...clockGauges(registry),
    ...healthGauges(registry),
  }
}

function trunkGauges(
  registry: Registry,
): Pick<GaugeEvents, 'channelsUsed' | 'queuesMeasured' | 'trunkSeen' | 'watchRouting'> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['trunk'], registers: [registry] })
  const used = gauge('ringproof_trunk_channels_active', 'Calls that this process is placing over a trunk.')
  const orders = gauge('ringproof_call_queue_depth', 'Call orders of a trunk in NATS: waiting, or being placed.')
  const up = gauge(
    'ringproof_trunk_up',
    '1 unless the carrier of a trunk is out of reach of this node, or refuses it or its calls. Only with Asterisk.',
  )
  let read: () => RoutingFigures = () => ({ trunks: [], missingCodes: new Map(), callerNumbers: new Map() })
  const limits: Gauge<'trunk'> = new Gauge({
    name: 'ringproof_trunk_channels_max',
    help: 'Channels of a trunk over all nodes; 0 while the trunk is off.',
    labelNames: ['trunk'],
    registers: [registry],
    collect: () => {
      limits.reset()
      for (const { trunk, channels, isOn } of read().trunks) limits.set({ trunk }, isOn ? channels : 0)
    },
  })
  const missing: Gauge<'country'> = new Gauge({
    name: 'ringproof_caller_codes_missing',
    help: 'Codes from 0001 to 9999 that no caller number of a country ends with.',
    labelNames: ['country'],
    registers: [registry],
    collect: () => {
      missing.reset()
      for (const [country, codes] of read().missingCodes) missing.set({ country }, codes)
    },
  })
  const callers: Gauge<'trunk'> = new Gauge({
    name: 'ringproof_caller_numbers',
    help: 'Caller numbers of a trunk that calls can show; quarantined ones are left out.',
    labelNames: ['trunk'],
    registers: [registry],
    collect: () => {
      callers.reset()
      for (const [trunk, numbers] of read().callerNumbers) callers.set({ trunk }, numbers)
    },
  })
  return {
    channelsUsed: (trunk, channels) => used.set({ trunk }, channels),
    queuesMeasured: (depths) => {
      orders.reset()
      // An empty queue is 0, not absent.
      for (const { trunk } of read().trunks) orders.set({ trunk }, 0)
      for (const [trunk, depth] of depths) orders.set({ trunk }, depth)
    },
    trunkSeen: (trunk, isUp) => up.set({ trunk }, isUp ? 1 : 0),
    watchRouting: (readNow) => {
      read = readNow
    },
  }
}

function edgeMetrics(registry: Registry): Pick<GaugeEvents, 'watchEdge'> {
  let read: (() => EdgeCounts) | undefined
  const up: Gauge = new Gauge({
    name: 'ringproof_edge_up',
    help: '1 while the signalling edge of this node responds. Only with an edge, like the next two.',
    registers: [registry],
    collect: () => read && up.set(read().isUp ? 1 : 0),
  })
  const legs: Gauge = new Gauge({
    name: 'ringproof_edge_legs',
    help: 'Flash calls in progress over the signalling edge of this node.',
    registers: [registry],
    collect: () => read && legs.set(read().legs),
  })
  const restarts: Counter = new Counter({
    name: 'ringproof_edge_restarts_total',
    help: 'How often the signalling edge was started again while this process ran. Each time the calls in progress are cancelled.',
    registers: [registry],
    collect: () => {
      if (read === undefined) return
      restarts.reset()
      restarts.inc(read().restarts)
    },
  })
  // Without labels they would be 0, which means down.
  for (const metric of [up, legs, restarts]) metric.remove()
  return {
    watchEdge: (readNow) => {
      read = readNow
    },
  }
}

function databaseGauges(registry: Registry): Pick<GaugeEvents, 'databaseMeasured'> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['database'], registers: [registry] })
  const gauges: Readonly<Record<keyof DatabaseMeasures, Gauge<'database'>>> = {
    heldAmount: gauge(
      'ringproof_held_amount',
      'Money that is held for verifications in progress, in the currency of the installation.',
    ),
    activeVerifications: gauge(
      'ringproof_verifications_active',
      'Verifications that are not over. Each has a hold, and each call the lease of its number.',
    ),
    activeInboundRequests: gauge(
      'ringproof_inbound_requests_active',
      "Inbound verifications that wait for the subscriber's call.",
    ),
    overdueVerifications: gauge(
      'ringproof_keeper_overdue_verifications',
      'Verifications past their deadline that no keeper has ended yet.',
    ),
    overdueSeconds: gauge(
      'ringproof_keeper_lag_seconds',
      'How long the first overdue verification has been overdue; 0 without one. Alert above 10.',
    ),
    dueWebhooks: gauge('ringproof_webhooks_due', 'Webhooks that are not delivered and not dead.'),
    webhookDelaySeconds: gauge(
      'ringproof_webhook_delay_seconds',
      'How long the first due webhook has waited for a worker; 0 without one. Alert above 60.',
    ),
  }
  return {
    databaseMeasured: (database, measured) => {
      for (const name of Object.keys(gauges) as (keyof DatabaseMeasures)[])
        gauges[name].set({ database }, measured[name])
    },
  }
}

function connectionGauges(registry: Registry): Pick<GaugeEvents, 'watchConnections'> {
  let read: () => readonly ConnectionCounts[] = () => []
  const connections: Gauge<'role' | 'state'> = new Gauge({
    name: 'ringproof_database_connections',
    help: 'Database connections of this process by role and state: busy, idle; waiting counts requests for one.',
    labelNames: ['role', 'state'],
    registers: [registry],
    collect: () => {
      connections.reset()
      for (const { role, state, count } of read()) connections.inc({ role, state }, count)
    },
  })
  return {
    watchConnections: (readNow) => {
      read = readNow
    },
  }
}

function clockGauges(registry: Registry): Pick<GaugeEvents, 'databaseClockMeasured'> {
  const offset = new Gauge({
    name: 'ringproof_database_clock_offset_seconds',
    help: "How far PostgreSQL's clock is ahead of this machine's; databases are counted from 0.",
    labelNames: ['database'],
    registers: [registry],
  })
  const trusted = new Gauge({
    name: 'ringproof_database_clock_trusted',
    help: "0 while PostgreSQL's clock is more than a day ahead of the last known time: no call is started then.",
    labelNames: ['database'],
    registers: [registry],
  })
  return {
    databaseClockMeasured: ({ database, offsetSeconds, isTrusted }) => {
      offset.set({ database }, offsetSeconds)
      trusted.set({ database }, isTrusted ? 1 : 0)
    },
  }
}

function healthGauges(registry: Registry): Pick<GaugeEvents, 'healthSeen'> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const gauges = {
    database: gauge(
      'ringproof_database_up',
      '1 while every database responds, through the pool or on a new connection.',
    ),
    bus: gauge('ringproof_bus_up', '1 while calls can be dispatched to NATS.'),
    pool: gauge('ringproof_database_pool_up', '1 while queries get through the pools of this process.'),
    eventLoop: gauge('ringproof_event_loop_up', '0 for five seconds after the event loop was blocked for two seconds.'),
  }
  // Only the role api probes. In other processes a gauge without labels would be 0, which means down.
  for (const one of Object.values(gauges)) one.remove()
  return {
    healthSeen: (health) => {
      for (const part of healthParts) gauges[part].set(health[part] ? 1 : 0)
    },
  }
}
