import { Columns3 } from 'lucide-react'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { Menu, MenuTicks } from '../../parts/forms/Menu.tsx'
import { useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { type ColumnName, columnNames, withoutMoney } from './columns.tsx'

export function ChooseColumns({
  shown,
  onChange,
}: {
  readonly shown: readonly ColumnName[]
  readonly onChange: (columns: readonly ColumnName[]) => void
}) {
  const words = useScreenWords('verifications')
  return (
    <Menu
      triggerClass={buttonClass()}
      trigger={
        <>
          <Columns3 size={15} />
          {words.columns}
        </>
      }
    >
      <MenuTicks
        label={words.columns}
        // The time leads to the verification.
        of={withoutMoney(columnNames, useSells())
          .filter((name) => name !== 'time')
          .map((name) => ({ value: name, text: words.heads[name] }))}
        values={shown}
        onChange={(values) => onChange(columnNames.filter((name) => name === 'time' || values.includes(name)))}
      />
    </Menu>
  )
}
