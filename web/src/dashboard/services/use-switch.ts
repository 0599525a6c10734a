import { showNotice } from '../../parts/text/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Service } from './service.ts'

type State = Service['state']

const nothing = () => undefined

// Done at once, with Undo: on, off, out of the archive and into it.
export function useSwitchService(): (service: Service, state: State) => void {
  const words = useScreenWords('services')
  const { mutate } = useChange('set-service-state', ['services', 'start'])
  return (service, state) => {
    const set = (next: State, onSuccess: () => void = nothing) =>
      mutate({ serviceId: service.id, state: next }, { onSuccess })
    const text = state === 'on' ? words.switchedOn : service.state === 'archived' ? words.restored : words.switchedOff
    set(state, () => showNotice({ text: text(service.name), undo: () => set(service.state) }))
  }
}

export function useTestNumbers(): (service: Service, isOn: boolean) => void {
  const words = useScreenWords('services')
  const { mutate } = useChange('set-test-numbers', ['services'])
  return (service, isOn) => {
    const set = (next: boolean, onSuccess: () => void = nothing) =>
      mutate({ serviceId: service.id, isOn: next }, { onSuccess })
    set(isOn, () => showNotice({ text: words.testNumbersChanged(isOn), undo: () => set(!isOn) }))
  }
}
