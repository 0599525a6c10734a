import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type ActiveSwitchOver,
  countedMs,
  type DestinationFacts,
  inFront,
  type PastSwitchOver,
  type RouteCount,
  type SwitchOver,
  type SwitchOverEnd,
  stepSwitchOver,
  switchedTo,
} from '../../server/src/domain/trunks/switch-over.ts'
import { minuteMs } from '../../server/src/domain/values/time.ts'

const both = ['alfa', 'beta']
const usual = { dialled: 1_000, rang: 930 }

test('traffic moves when the first trunk falls, and returns only after it has rung as usual for longer', () => {
  const world = createWorld({ seed: 1 })
  world.run(30, { alfa: 0.93, beta: 0.93 })
  assert.equal(world.changes.length, 0)
  world.run(15, { alfa: 0.41, beta: 0.93 })
  assert.deepEqual(world.kinds(), ['trial', 'moved'])
  const moved = world.current()
  assert(moved && moved.phase === 'moved')
  assert.deepEqual([moved.from, moved.to, moved.usual], ['alfa', 'beta', 0.93])
  const [trial, second] = world.changes
  assert(trial && second && second.minute <= 15 + 30, 'within minutes')
  world.run(60, { alfa: 0.41, beta: 0.93 })
  assert.equal(world.current()?.phase, 'moved', 'not before it has recovered')
  const repairedAt = world.minute()
  world.run(60, { alfa: 0.93, beta: 0.93 })
  assert.deepEqual(world.kinds(), ['trial', 'moved', 'recovered'])
  const tookMs = (world.changes[2]?.minute ?? 0) - repairedAt
  assert(tookMs >= 10 && tookMs > second.minute - 30, `${tookMs} minutes`)
})

test('with one trunk nothing ever moves', () => {
  const world = createWorld({ seed: 2, trunks: ['alfa'] })
  world.run(120, { alfa: 0 })
  assert.deepEqual(world.changes, [])
})

test('a provider that is out of reach over every trunk stays where it is', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const world = createWorld({ seed })
    world.run(20, { alfa: 0.93, beta: 0.93 })
    world.run(240, { alfa: 0.4, beta: 0.4 })
    assert(!world.kinds().includes('moved'), `seed ${seed}`)
    assert(world.kinds().filter((kind) => kind === 'trial').length <= 240 / 20 + 1)
  }
})

test('a trunk that is off, down or full is never chosen, and one that fails gives the traffic back at once', () => {
  const fallen = { alfa: 0.1, beta: 0.93 }
  for (const change of [{ trunks: ['alfa'] }, { healthy: ['alfa'] }, { withFreeChannels: ['alfa'] }]) {
    const world = createWorld({ seed: 4, ...change })
    world.run(60, fallen)
    assert.deepEqual(world.changes, [], JSON.stringify(change))
  }
  for (const [change, end] of [
    [{ trunks: ['alfa'] }, 'trunk-lost'],
    [{ healthy: ['alfa'] }, 'trunk-lost'],
    [{ trunks: ['gamma', 'alfa', 'beta'] }, 'order-changed'],
  ] as const) {
    const world = createWorld({ seed: 4 })
    world.run(30, fallen)
    assert.equal(world.current()?.phase, 'moved')
    world.change(change)
    world.run(1, fallen)
    assert.equal(world.kinds().at(-1), end)
  }
  // A third trunk takes over when the second is full.
  const world = createWorld({ seed: 4, trunks: ['alfa', 'beta', 'gamma'], withFreeChannels: ['alfa', 'gamma'] })
  world.run(30, { ...fallen, gamma: 0.9 })
  assert.equal(world.current()?.to, 'gamma')
})

test('a pinned switch-over stays, and is paused while its trunk is down', () => {
  const world = createWorld({ seed: 5 })
  world.run(30, { alfa: 0.1, beta: 0.93 })
  world.pin()
  world.run(120, { alfa: 0.93, beta: 0.93 })
  assert.deepEqual([world.current()?.isPinned, world.current()?.isPaused], [true, false])
  world.change({ healthy: ['alfa'] })
  world.run(1, { alfa: 0.93, beta: 0 })
  assert.equal(world.current()?.isPaused, true)
  world.change({ healthy: both })
  world.run(1, { alfa: 0.93, beta: 0.93 })
  assert.equal(world.current()?.isPaused, false)
})

test('what an operator has taken back is left alone for an hour', () => {
  const world = createWorld({ seed: 6 })
  world.run(30, { alfa: 0.1, beta: 0.93 })
  world.takeBack()
  world.run(59, { alfa: 0.1, beta: 0.93 })
  assert.equal(world.current(), undefined)
  world.run(15, { alfa: 0.1, beta: 0.93 })
  assert.equal(world.current()?.phase, 'moved')
})

test('noise around one rate never moves traffic, in two days of any traffic', () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.integer({ min: 1, max: 1_000_000 }),
        rate: fc.double({ min: 0.05, max: 1, noNaN: true }),
        calls: fc.integer({ min: 1, max: 300 }),
      }),
      ({ seed, rate, calls }) => {
        const world = createWorld({ seed, calls, usual: { dialled: 1_000, rang: 1_000 * rate } })
        world.run(2 * 1_440, { alfa: rate, beta: rate })
        assert(!world.kinds().includes('moved'), JSON.stringify(world.changes))
      },
    ),
    { numRuns: 40 },
  )
})

test('no series at all moves traffic more than ten times in a day', () => {
  const phases = fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 90 }), isBad: fc.boolean() }), {
    minLength: 20,
    maxLength: 200,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), phases, (seed, parts) => {
      const world = createWorld({ seed, calls: 200 })
      for (const { minutes, isBad } of parts) {
        if (world.minute() >= 1_440) break
        world.run(minutes, { alfa: isBad ? 0 : 0.93, beta: 0.93 })
      }
      const moves = world.changes.filter(({ kind, minute }) => kind === 'moved' && minute < 1_440)
      assert(moves.length <= 10, `${moves.length} moves`)
    }),
    { numRuns: 20 },
  )
  // The worst that a carrier can do: it recovers until the traffic is back, and fails at once.
  const world = createWorld({ seed: 7, calls: 200 })
  while (world.minute() < 1_440) world.run(1, { alfa: world.current()?.phase === 'moved' ? 0.93 : 0, beta: 0.93 })
  const moves = world.kinds().filter((kind) => kind === 'moved').length
  assert(moves >= 2 && moves <= 10, `${moves} moves`)
})

test('nine calls in ten follow a move, every second one a trial, and none a pause', () => {
  const destination = { country: 'RU', provider: 'Volna' }
  const active: ActiveSwitchOver = { ...destination, from: 'alfa', to: 'beta', phase: 'moved', isPaused: false }
  const share = (one: ActiveSwitchOver, to = destination) =>
    Array.from({ length: 1_000 }, (_, n) => switchedTo([one], to, n / 1_000)).filter(Boolean).length / 1_000
  assert.equal(share(active), 0.9)
  assert.equal(share({ ...active, phase: 'trial' }), 0.5)
  assert.equal(share({ ...active, isPaused: true }), 0)
  assert.equal(share(active, { country: 'RU', provider: 'Kvant' }), 0)
  const routes = ['alfa', 'gamma', 'beta'].map((trunk) => ({ trunk }))
  const names = (of: readonly { trunk: string }[]) => of.map(({ trunk }) => trunk).join()
  assert.equal(names(inFront(routes, active)), 'beta,alfa,gamma')
  assert.equal(names(inFront(routes, undefined)), 'alfa,gamma,beta')
  assert.equal(names(inFront(routes.slice(0, 2), active)), 'alfa,gamma')
  assert.equal(names(inFront(routes.slice(1), active)), 'gamma,beta')
})

type World = {
  readonly seed: number
  readonly trunks?: readonly string[]
  readonly healthy?: readonly string[]
  readonly withFreeChannels?: readonly string[]
  // Per minute.
  readonly calls?: number
  readonly usual?: { readonly dialled: number; readonly rang: number }
}

// Minutes of random calls that go where the switch-over sends them.
function createWorld(settings: World) {
  let { trunks = both, healthy = ['alfa', 'beta', 'gamma'], withFreeChannels = ['alfa', 'beta', 'gamma'] } = settings
  const random = randomOf(settings.seed)
  const past: PastSwitchOver[] = []
  const changes: { readonly kind: SwitchOver['phase'] | SwitchOverEnd; readonly minute: number }[] = []
  let counts: RouteCount[] = []
  let current: SwitchOver | undefined
  let minute = 0
  const end = (reason: SwitchOverEnd, holdMs = current?.holdMs ?? 0) => {
    if (!current) return
    past.push({ to: current.to, wasMoved: current.phase === 'moved', reason, endedMs: minute * minuteMs, holdMs })
    changes.push({ kind: reason, minute })
    current = undefined
  }
  const step = () => {
    const nowMs = minute * minuteMs
    const facts: DestinationFacts = {
      trunks,
      healthy: new Set(healthy),
      withFreeChannels: new Set(withFreeChannels),
      counts,
      usual: settings.usual ?? usual,
      past: past.filter(({ endedMs }) => nowMs - endedMs < 1_440 * minuteMs),
      nowMs,
      scale: 1,
    }
    const stepped = stepSwitchOver(current, facts)
    if (stepped.end !== undefined) return end(stepped.end)
    if (stepped.next && stepped.next.phase !== current?.phase) changes.push({ kind: stepped.next.phase, minute })
    current = stepped.next
  }
  const routes = () => trunks.map((trunk) => ({ trunk }))
  const run = (minutes: number, rates: Readonly<Record<string, number>>) => {
    for (const until = minute + minutes; minute < until; ) {
      const active = current ? [{ country: 'RU', provider: 'Volna', ...current }] : []
      const atMs = minute * minuteMs
      const before = new Map(trunks.map((trunk) => [trunk, { trunk, minuteMs: atMs, dialled: 0, rang: 0 }]))
      for (let call = 0; call < (settings.calls ?? 60); call++) {
        const switched = switchedTo(active, { country: 'RU', provider: 'Volna' }, random())
        const [first] = switched ? inFront(routes(), switched) : routes()
        const count = before.get(first?.trunk ?? '')
        if (!count) continue
        count.dialled += 1
        if (random() < (rates[count.trunk] ?? 0)) count.rang += 1
      }
      counts.push(...before.values())
      minute += 1
      counts = counts.filter((count) => count.minuteMs >= minute * minuteMs - countedMs)
      step()
    }
  }
  return {
    run,
    changes,
    kinds: () => changes.map(({ kind }) => kind),
    current: () => current,
    minute: () => minute,
    pin: () => (current = current && { ...current, isPinned: true }),
    takeBack: () => end('taken-back', 60 * minuteMs),
    change: (to: Partial<Pick<World, 'trunks' | 'healthy'>>) => {
      trunks = to.trunks ?? trunks
      healthy = to.healthy ?? healthy
    },
  }
}

// Marsaglia's xorshift: the same series for the same seed.
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
