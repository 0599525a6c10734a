import { useFormats } from '../../formats.ts'
import css from './balance.module.css'

export function Change({ value }: { readonly value: number }) {
  const formats = useFormats()
  const text = `${value > 0 ? '+' : '−'}${formats.price(Math.abs(value))}`
  return <span className={value > 0 ? css.gain : undefined}>{text}</span>
}
