import { useNavigate } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { useIsBuilder } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { RunMistake } from '../../parts/forms/RunMistake.tsx'
import { useChange } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { Shown } from './shown.ts'

// Starts it and leads to the phone that rings.
export function RepeatAsTest({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const { state } = useWords()
  const isBuilder = useIsBuilder()
  const navigate = useNavigate()
  const { mutate, isPending, data: run, error } = useChange('repeat-as-test', ['phones', 'services'])
  const repeat = () =>
    mutate(
      { id: shown.id },
      {
        onSuccess: ({ number, verificationId }) => {
          // Without a verification the API refused; its sentence is shown here.
          if (verificationId === null) return
          navigate({ href: `${dashboardAddress('phones', 'test')}?phone=${number}` }).catch(() => undefined)
        },
      },
    )
  return (
    <>
      <Button
        disabled={isPending || !isBuilder}
        title={isBuilder ? words.repeatNote : state.onlyBuilders}
        onClick={repeat}
      >
        <RotateCcw size={15} />
        {words.repeat}
      </Button>
      <RunMistake run={run} error={error} />
    </>
  )
}
