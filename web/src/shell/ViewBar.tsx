import { Eye } from 'lucide-react'
import { useEffect } from 'react'
import { call } from '../api.ts'
import { useFormats } from '../formats.ts'
import { useMe } from '../queries.ts'
import { useWords } from '../words/words.ts'
import css from './shell.module.css'

// An operator looks at a customer's dashboard. It stands above everything until it ends; the page then loads anew, because nothing on
// it belongs to the operator.
export function ViewBar() {
  const { shell } = useWords()
  const formats = useFormats()
  const { account, viewUntil } = useMe()
  const back = `/console/customers/${account?.id ?? ''}`
  useEffect(() => {
    if (viewUntil === null) return
    const timer = setTimeout(() => location.assign(back), Math.max(0, viewUntil - Date.now()))
    return () => clearTimeout(timer)
  }, [viewUntil, back])
  if (viewUntil === null || account === null) return null
  const end = async () => {
    await call('end-view', {})
    location.assign(back)
  }
  return (
    <div className={css.view} role="status">
      <Eye size={15} aria-hidden="true" />
      <p>{shell.viewing(account.name, formats.clock(viewUntil))}</p>
      <button type="button" onClick={() => void end().catch(() => location.assign(back))}>
        {shell.endView}
      </button>
    </div>
  )
}
