import { counted } from '../../words/plural.ts'

export const words = {
  asUsual: 'Every provider rings as usual',
  asUsualLead: 'No share of calls that rang is clearly below the same hours of the last four weeks.',
  tooFew: 'Too few calls to compare',
  comparedLead: (compared: number, of: number) =>
    `${compared} of ${counted('en', of, { one: 'cell', other: 'cells' })} ${compared === 1 ? 'has' : 'have'} 50 calls or more and a usual share to compare with.`,
  fallen: (provider: string, trunk: string) => `${provider} rings less often over ${trunk}`,
  andMore: (more: number) => `, and ${counted('en', more, { one: 'other', other: 'others' })}`,
  fallenLead: (now: string, usual: string, calls: string) =>
    `${now} of ${calls} calls rang, usually ${usual}. Compare it with the same provider over another trunk: if that rings, the carrier is at fault.`,
  fallenOneLead: (now: string, usual: string, calls: string) =>
    `${now} of ${calls} calls rang, usually ${usual}. There is one trunk, so the calls cannot go elsewhere. Customers can place calls to this provider as mix or voice.`,
  unknown: 'unknown provider',
  empty: 'No calls in this period',
  emptyText: 'The matrix appears with the first calls. Test calls are not counted.',
  period: 'Period',
  periods: { 3: 'Last 3 hours', 24: 'Last 24 hours' },
  matrix: 'Provider × trunk × mode',
  matrixLead:
    'The share of calls that rang, and how many were dialled. A cell is red when its whole 95 % interval is five points below what is usual at these hours; grey figures are of fewer than 50 calls.',
  provider: 'Provider',
  usual: (share: string) => `usually ${share}`,
  interval: (low: string, high: string) => `95 % interval ${low} to ${high}`,
  cell: (provider: string, trunk: string, mode: string) => `${provider} over ${trunk}, ${mode}: show the calls`,
  legendUsual: 'as usual',
  legendWorse: 'worse than usual',
  legendFew: 'fewer than 50 calls',
  changes: 'Changes of the last two days',
  changesLead: 'The hour in which the share of a provider over a trunk broke, up or down.',
  noChanges: 'None.',
  change: (provider: string, trunk: string, mode: string) => `${provider} over ${trunk}, ${mode}`,
  fromTo: (before: string, after: string) => `${before} → ${after}`,
}
