import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type Traffic, trafficOf, withTraffic } from './places.ts'

export function useTraffic(): Traffic {
  return useRouterState({ select: (state) => trafficOf(state.location.pathname) })
}

export function useSwitchTraffic(): (traffic: Traffic) => void {
  const navigate = useNavigate()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return (traffic) => {
    navigate({ to: withTraffic(pathname, traffic) }).catch(() => undefined)
  }
}
