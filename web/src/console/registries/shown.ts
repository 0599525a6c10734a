import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type Shown = WebOutput<'registries'>
export type Diff = WebOutput<'registry-diff'>
type Kind = Diff['registries'][number]
type Sum = Kind['added']

export type Change = Sum['largest'][number] & { readonly what: 'added' | 'removed' | 'moved' }

const examplesMax = 5

// The largest changes of every sort together.
export function examplesOf({ added, removed, changedOwner }: Kind): readonly Change[] {
  const sorted = (what: Change['what'], { largest }: Sum) => largest.map((one): Change => ({ ...one, what }))
  return [...sorted('added', added), ...sorted('removed', removed), ...sorted('moved', changedOwner)]
    .toSorted((one, other) => other.last - other.first - (one.last - one.first))
    .slice(0, examplesMax)
}

// What a rollback does.
export function reverse(diff: Diff): Diff {
  return {
    ...diff,
    from: diff.to,
    to: diff.from,
    registries: diff.registries.map(({ kind, added, removed, changedOwner }) => ({
      kind,
      added: turned(removed),
      removed: turned(added),
      changedOwner: turned(changedOwner),
    })),
    ported: diff.ported && { before: diff.ported.after, after: diff.ported.before },
  }
}

function turned(sum: Sum): Sum {
  return { ...sum, largest: sum.largest.map((one) => ({ ...one, before: one.after, after: one.before })) }
}
