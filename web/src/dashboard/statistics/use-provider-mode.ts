import { showNotice } from '../../parts/text/notice.ts'
import { useChange } from '../../queries.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { Data } from './figures.ts'

type Mode = Data['providerModes'][number]['mode']

// Done at once, with Undo, for the service in the filter or for all live ones. Null: flash again.
export function useProviderMode(): (provider: string, mode: Mode | null, before?: Mode) => void {
  const words = useScreenWords('statistics')
  const { mode: modes } = useWords()
  const [{ service }] = useFilters()
  const { mutate } = useChange('set-provider-mode', ['statistics', 'services'])
  return (provider, mode, before) => {
    const serviceId = service === undefined ? null : Number(service)
    const set = (next: Mode | null, onSuccess: () => void = () => undefined) =>
      mutate({ provider, mode: next, serviceId }, { onSuccess })
    const text = mode === null ? words.insteadUndone(provider) : words.insteadDone(provider, modes[mode].toLowerCase())
    set(mode, () => showNotice({ text, undo: () => set(before ?? null) }))
  }
}
