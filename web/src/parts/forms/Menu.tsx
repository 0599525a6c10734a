import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './menu.module.css'

export function Menu({
  trigger,
  triggerClass,
  label,
  side = 'bottom',
  align = 'end',
  children,
}: {
  readonly trigger: ReactNode
  readonly triggerClass: string | undefined
  // For a trigger without a text.
  readonly label?: string
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger className={triggerClass} aria-label={label}>
        {trigger}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={css.place} sideOffset={6} side={side} align={align}>
          <BaseMenu.Popup className={css.menu}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

export function MenuAction({ children, onClick }: { readonly children: ReactNode; readonly onClick: () => void }) {
  return (
    <BaseMenu.Item className={css.option} onClick={onClick}>
      {children}
    </BaseMenu.Item>
  )
}

export function MenuRule() {
  return <BaseMenu.Separator className={css.rule} />
}

export function MenuChoice<Value extends string>({
  label,
  value,
  of,
  onChange,
  closes = false,
}: {
  readonly label: string
  readonly value: Value
  readonly of: readonly { readonly value: Value; readonly text: string }[]
  readonly onChange: (value: Value) => void
  readonly closes?: boolean
}) {
  return (
    <BaseMenu.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
      <BaseMenu.Group>
        <BaseMenu.GroupLabel className={css.label}>{label}</BaseMenu.GroupLabel>
        {of.map((choice) => (
          <BaseMenu.RadioItem key={choice.value} value={choice.value} className={css.option} closeOnClick={closes}>
            {choice.text}
            <BaseMenu.RadioItemIndicator className={css.check}>
              <Check size={15} />
            </BaseMenu.RadioItemIndicator>
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.Group>
    </BaseMenu.RadioGroup>
  )
}

// Any number of them.
export function MenuTicks<Value extends string>({
  label,
  values,
  of,
  onChange,
}: {
  readonly label: string
  readonly values: readonly Value[]
  readonly of: readonly { readonly value: Value; readonly text: string }[]
  readonly onChange: (values: readonly Value[]) => void
}) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className={css.label}>{label}</BaseMenu.GroupLabel>
      {of.map(({ value, text }) => (
        <BaseMenu.CheckboxItem
          key={value}
          className={css.option}
          checked={values.includes(value)}
          onCheckedChange={(isOn) => onChange(isOn ? [...values, value] : values.filter((one) => one !== value))}
          closeOnClick={false}
        >
          {text}
          <BaseMenu.CheckboxItemIndicator className={css.check}>
            <Check size={15} />
          </BaseMenu.CheckboxItemIndicator>
        </BaseMenu.CheckboxItem>
      ))}
    </BaseMenu.Group>
  )
}
