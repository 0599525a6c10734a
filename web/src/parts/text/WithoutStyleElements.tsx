import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'

// The content security policy forbids style elements; base.css has the one rule that Base UI would put into them.
export function WithoutStyleElements({ children }: { readonly children: ReactNode }) {
  return <CSPProvider disableStyleElements>{children}</CSPProvider>
}
