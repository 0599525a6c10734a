import { useChange } from '../queries.ts'

// Steps of the start and virtual phones come with a service.
export const serviceReads = ['services', 'start', 'phones'] as const

export function useCreateService() {
  return useChange('create-service', serviceReads)
}
