import type { WebOutput } from '@ringproof/contract/web/api.ts'

type Board = WebOutput<'wallboard'>
type Trunk = Board['trunks'][number]

export type Need =
  | { readonly kind: 'stop'; readonly reason: string }
  | { readonly kind: 'trunk'; readonly trunk: Trunk }
  | { readonly kind: 'moved'; readonly moved: Board['moved'][number] }
  | { readonly kind: 'webhooks' }
  | { readonly kind: 'fault'; readonly fault: NonNullable<Board['faults']>[number] }

// What is wrong, the worst first. A trunk that an operator has switched off or drains is not wrong.
export function needsOf({ stop, trunks, moved, areWebhooksLate, faults }: Board): readonly Need[] {
  const inState = (state: Trunk['health']['state']) =>
    trunks
      .filter(({ health }) => health.state === state && health.cause !== 'stopped')
      .map((trunk): Need => ({ kind: 'trunk', trunk }))
  return [
    ...(stop === null ? [] : [{ kind: 'stop', reason: stop.reason } as const]),
    ...inState('down'),
    ...inState('degraded'),
    ...moved.map((one): Need => ({ kind: 'moved', moved: one })),
    ...(faults ?? []).map((fault): Need => ({ kind: 'fault', fault })),
    ...(areWebhooksLate ? [{ kind: 'webhooks' } as const] : []),
  ]
}
