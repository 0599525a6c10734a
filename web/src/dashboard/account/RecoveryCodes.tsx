import { Printer } from 'lucide-react'
import { Button } from '../../parts/forms/Button.tsx'
import { ShownOnce } from '../../parts/forms/ShownOnce.tsx'
import { CopyButton } from '../../parts/text/Code.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './account.module.css'

export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const words = useScreenWords('account')
  return (
    <ShownOnce title={words.codesTitle} lead={words.codesLead} stored={words.codesStored} onClose={onClose}>
      <ol className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={css.acts}>
        <CopyButton text={codes.join('\n')} autoFocus />
        <Button isSmall look="ghost" onClick={() => print()}>
          <Printer size={14} />
          {words.print}
        </Button>
      </div>
    </ShownOnce>
  )
}
