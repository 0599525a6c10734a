import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { useWords } from '../../words/words.ts'
import { Button } from './Button.tsx'

// Other operators see it, and read why it does nothing.
export function AdminButton({ disabled = false, ...button }: Omit<ComponentProps<typeof Button>, 'title'>) {
  const { state } = useWords()
  const isAdmin = useIsAdmin()
  return <Button {...button} disabled={!isAdmin || disabled} title={isAdmin ? undefined : state.onlyAdmins} />
}

// Opens the dialog in which something is added.
export function AddButton({
  text,
  look = 'plain',
  disabled = false,
  children,
}: {
  readonly text: string
  readonly look?: 'ink' | 'plain'
  readonly disabled?: boolean
  readonly children: (onClose: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <AdminButton look={look} disabled={disabled} onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden="true" />
        {text}
      </AdminButton>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
