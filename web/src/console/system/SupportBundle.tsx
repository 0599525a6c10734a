import { Download } from 'lucide-react'
import { useIsHelper } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { saveFile } from '../../parts/text/save-file.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'

export function SupportBundle() {
  const words = useScreenWords('system')
  const { state } = useWords()
  const isHelper = useIsHelper()
  const { mutate, isPending, error } = useChange('support-bundle', ['audit-log'])
  return (
    <>
      <Button
        disabled={!isHelper || isPending}
        title={isHelper ? words.bundleHint : state.onlyHelpers}
        onClick={() =>
          mutate(
            {},
            {
              onSuccess: ({ name, text }) => {
                saveFile(name, text, 'application/json')
                showNotice({ text: words.bundleSaved(name) })
              },
            },
          )
        }
      >
        <Download size={15} aria-hidden="true" />
        {words.bundle}
      </Button>
      <Mistake error={error} />
    </>
  )
}
