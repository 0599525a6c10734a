// The frame of every message: our word mark, one button, no image, nothing from another host. Tables and inline styles, because
// mail programs know nothing else; colours that hold on a light and on a dark ground.

import type { Language } from '@ringproof/contract/lists/people.ts'
import type { Mail } from './mailer.ts'

export type Letter = {
  readonly language: Language
  readonly installation: string
  readonly supportAddress: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button: { readonly text: string; readonly link: string } | undefined
  // Below the button, in small.
  readonly notes: readonly string[]
}

const words = {
  en: { by: 'Sent by', copy: 'If the button does not work, open this address:', help: 'Questions:' },
  ru: { by: 'Отправитель:', copy: 'Если кнопка не работает, откройте этот адрес:', help: 'Вопросы:' },
}

export function render(to: string, letter: Letter): Mail {
  return { to, subject: letter.subject, text: plainText(letter), html: html(letter) }
}

function plainText({ language, installation, supportAddress, subject, paragraphs, button, notes }: Letter): string {
  const { by, help } = words[language]
  return [
    subject,
    ...paragraphs,
    ...(button ? [`${button.text}:\n${button.link}`] : []),
    ...notes,
    `--\n${by} ${installation}${supportAddress === '' ? '' : `\n${help} ${supportAddress}`}`,
  ].join('\n\n')
}

const font = 'font-family:Onest,Segoe UI,Roboto,Arial,sans-serif'

function html({ language, installation, supportAddress, subject, paragraphs, button, notes }: Letter): string {
  const { by, copy, help } = words[language]
  const small = `${font};font-size:13px;line-height:19px;color:#6b665b;margin:0 0 10px`
  const copies = button
    ? [
        `${copy}<br><a href="${escape(button.link)}" style="color:#2346d0;word-break:break-all">${escape(button.link)}</a>`,
      ]
    : []
  const support = supportAddress === '' ? '' : ` · ${help} ${escape(supportAddress)}`
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:0;background:#f3f1ea">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f1ea"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background:#ffffff;border:1px solid #e4e0d6;border-radius:12px"><tr><td style="padding:32px">
<p style="${font};font-size:20px;line-height:24px;font-weight:600;color:#1b1a16;margin:0 0 28px">ring<span style="background:#ffe14d;color:#231d00;padding:0 3px;border-radius:3px 5px 4px 3px">proof</span></p>
<h1 style="${font};font-size:22px;line-height:28px;font-weight:600;color:#1b1a16;margin:0 0 14px">${escape(subject)}</h1>
${paragraphs.map((one) => `<p style="${font};font-size:15px;line-height:23px;color:#1b1a16;margin:0 0 14px">${escape(one)}</p>`).join('\n')}
${button ? buttonHtml(button.text, button.link) : ''}
${[...notes.map(escape), ...copies].map((one) => `<p style="${small}">${one}</p>`).join('\n')}
</td></tr></table>
<p style="${font};font-size:12px;line-height:18px;color:#6b665b;margin:16px 0 0">${by} ${escape(installation)}${support}</p>
</td></tr></table>
</body>
</html>
`
}

function buttonHtml(text: string, link: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:10px 0 24px"><tr><td style="background:#1b1a16;border-radius:7px">
<a href="${escape(link)}" style="${font};display:inline-block;padding:11px 20px;font-size:15px;line-height:20px;font-weight:500;color:#ffffff;text-decoration:none">${escape(text)}</a>
</td></tr></table>`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}
