// Compares a new registry file with the old one: which numbers were assigned, withdrawn or moved to another holder. Both are
// walked in parallel in number order and split wherever either starts or ends a range. Without a file there are no ranges.

import type { ChangeSum, HolderChange, RegistryDiff } from '../domain/numbers/numbering-report.ts'
import type { OwnerEntry, RegistryTable } from './registry-table.ts'

export function compareRegistries(before: RegistryTable | undefined, after: RegistryTable | undefined): RegistryDiff {
  const holderOf = joinHolders([...(before?.owners ?? []), ...(after?.owners ?? [])])
  const sums = { added: createSum(), removed: createSum(), changedOwner: createSum() }
  for (const piece of splitInParallel(stretches(before, holderOf), stretches(after, holderOf))) {
    const { old, now } = piece
    if (old?.holder === now?.holder) continue
    const sum = old === undefined ? sums.added : now === undefined ? sums.removed : sums.changedOwner
    sum.add(piece)
  }
  return { added: sums.added.close(), removed: sums.removed.close(), changedOwner: sums.changedOwner.close() }
}

type Stretch = { first: number; last: number; holder: string; organisation: string }
type Piece = { first: number; last: number; old: Stretch | undefined; now: Stretch | undefined }

const largestMax = 5

// A holder is identified by its taxpayer number. Older files have none; it is looked up by the organisation's spelling in
// newer rows.
function joinHolders(owners: readonly OwnerEntry[]): (owner: OwnerEntry) => string {
  const innBySpelling = new Map(
    owners.filter(([, inn]) => inn !== '').map(([organisation, inn]) => [spelling(organisation), inn]),
  )
  return ([organisation, inn]) => inn || (innBySpelling.get(spelling(organisation)) ?? spelling(organisation))
}

function spelling(organisation: string): string {
  return organisation
    .toUpperCase()
    .replaceAll(/["'«»„“”]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function* stretches(
  table: RegistryTable | undefined,
  holderOf: (owner: OwnerEntry) => string,
): Generator<Stretch, undefined> {
  if (!table) return
  const holders = table.owners.map(holderOf)
  for (const { code, first, last, owner } of table.ranges()) {
    const base = code * 10_000_000
    const [organisation = ''] = table.owners[owner] ?? []
    yield { first: base + first, last: base + last, holder: holders[owner] ?? '', organisation }
  }
}

function* splitInParallel(olds: Iterator<Stretch>, nows: Iterator<Stretch>): Generator<Piece> {
  const take = (from: Iterator<Stretch>): Stretch | undefined => {
    const { done, value } = from.next()
    return done ? undefined : value
  }
  let old = take(olds)
  let now = take(nows)
  while (old || now) {
    const first = Math.min(old?.first ?? Infinity, now?.first ?? Infinity)
    const oldHere = old && old.first === first ? old : undefined
    const nowLocal = now && now.first === first ? now : undefined
    // Up to where the first of them ends or the other starts.
    const last = Math.min(
      oldHere ? oldHere.last : (old?.first ?? Infinity) - 1,
      nowLocal ? nowLocal.last : (now?.first ?? Infinity) - 1,
    )
    yield { first, last, old: oldHere, now: nowLocal }
    if (oldHere) old = last === oldHere.last ? take(olds) : { ...oldHere, first: last + 1 }
    if (nowLocal) now = last === nowLocal.last ? take(nows) : { ...nowLocal, first: last + 1 }
  }
}

// Consecutive numbers with the same holders before and after count as one range, however the registry splits them.
function createSum() {
  let ranges = 0
  let numbers = 0
  const largest: HolderChange[] = []
  let open: Piece | undefined
  const finish = () => {
    if (!open) return
    const { first, last, old, now } = open
    const smallest = largest.length < largestMax ? undefined : largest.at(-1)
    if (smallest && smallest.last - smallest.first >= last - first) return
    largest.push({ first, last, before: old?.organisation ?? '', after: now?.organisation ?? '' })
    largest.sort((a, b) => b.last - b.first - (a.last - a.first) || a.first - b.first)
    largest.length = Math.min(largest.length, largestMax)
  }
  const add = (piece: Piece) => {
    numbers += piece.last - piece.first + 1
    const isNext = open?.last === piece.first - 1
    if (open && isNext && open.old?.holder === piece.old?.holder && open.now?.holder === piece.now?.holder) {
      open = { ...open, last: piece.last }
      return
    }
    finish()
    open = piece
    ranges += 1
  }
  const close = (): ChangeSum => {
    finish()
    return { ranges, numbers, largest }
  }
  return { add, close }
}
