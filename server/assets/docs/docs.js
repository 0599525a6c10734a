// Remembers the theme and the language of samples, adds copy buttons, and searches. Everything else works without it.

const root = document.documentElement
const stored = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
const store = (name, value) => {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Private windows may forbid it; the choice then lasts as long as the page.
  }
}

// Before the first paint, so that nothing flashes.
const theme = stored('docs-theme')
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme

document.addEventListener('DOMContentLoaded', () => {
  const dialog = document.querySelector('#search')
  rememberTheme()
  rememberLanguage()
  addCopyButtons(dialog.dataset)
  closeMenuOnChoice()
  addSearch(dialog)
})

function rememberTheme() {
  for (const radio of document.querySelectorAll('input[name=theme]')) {
    radio.checked = radio.value === (root.dataset.theme ?? 'system')
    radio.addEventListener('change', () => {
      store('docs-theme', radio.value)
      if (radio.value === 'system') delete root.dataset.theme
      else root.dataset.theme = radio.value
    })
  }
}

// One choice for every block of the page, and for the next page.
function rememberLanguage() {
  const radios = [...document.querySelectorAll('.tabs input')]
  const choose = (value) => {
    for (const radio of radios) if (radio.value === value) radio.checked = true
  }
  const language = stored('docs-sample')
  if (language !== null) choose(language)
  for (const radio of radios) {
    radio.addEventListener('change', () => {
      // The block that was clicked stays where it is, although blocks above it change their height.
      const before = radio.getBoundingClientRect().top
      store('docs-sample', radio.value)
      choose(radio.value)
      scrollBy(0, radio.getBoundingClientRect().top - before)
    })
  }
}

function addCopyButtons({ copy, copied }) {
  for (const block of document.querySelectorAll('.block')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = copy
    const say = (text) => {
      button.textContent = text
    }
    const copyShown = async () => {
      const shown = [...block.querySelectorAll('pre')].find((pre) => pre.checkVisibility())
      await navigator.clipboard.writeText(shown?.textContent ?? '')
      say(copied)
      setTimeout(() => say(copy), 1500)
    }
    // Where the browser forbids it, the text can still be selected.
    button.addEventListener('click', () => {
      copyShown().catch(() => button.remove())
    })
    block.querySelector('.bar').append(button)
  }
}

function closeMenuOnChoice() {
  const menu = document.querySelector('#menu')
  document.querySelector('.wall').addEventListener('click', ({ target }) => {
    if (target.closest('a')) menu.checked = false
  })
}

function addSearch(dialog) {
  const input = dialog.querySelector('input')
  const results = dialog.querySelector('.found')
  let entries
  const load = async () => {
    entries ??= await (await fetch(`/docs/search-${root.lang}.json`)).json()
    show()
  }
  const open = () => {
    if (!dialog.open) dialog.showModal()
    input.select()
    // Without a connection the list stays empty; opening the search again tries again.
    load().catch(() => undefined)
  }
  const show = () => {
    const found = search(entries ?? [], input.value)
    const isEmpty = input.value.trim() !== '' && found.length === 0
    results.replaceChildren(...(isEmpty ? [note(dialog.dataset.nothing)] : found.map(resultItem)))
  }
  for (const button of document.querySelectorAll('button.find')) {
    button.hidden = false
    button.addEventListener('click', open)
  }
  input.addEventListener('input', show)
  results.addEventListener('click', ({ target }) => {
    if (target.closest('a')) dialog.close()
  })
  // A click beside the dialog closes it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('keydown', (event) => moveInResults(event, input, results))
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'radio'
    const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut) return
    event.preventDefault()
    open()
  })
}

// Every word must occur. A title that starts with the query comes first, then titles, then texts.
function search(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const rank = ([title, place, , text]) => {
    const [head, all] = [title.toLowerCase(), `${title} ${place} ${text}`.toLowerCase()]
    if (!words.every((word) => all.includes(word))) return undefined
    if (head === words[0]) return 0
    if (head.startsWith(words[0])) return 1
    return words.every((word) => head.includes(word)) ? 2 : 3
  }
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter((one) => one.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, 20)
    .map((one) => one.entry)
}

function resultItem([title, place, url, text]) {
  const link = document.createElement('a')
  link.href = url
  link.append(part('b', title), part('span', place), part('small', text))
  const item = document.createElement('li')
  item.append(link)
  return item
}

function note(text) {
  const item = part('li', text)
  item.className = 'quiet'
  return item
}

function part(tag, text) {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

// Arrows move between the field and the results; Enter in the field opens the first.
function moveInResults(event, input, results) {
  const links = [...results.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const next = at + (event.key === 'ArrowDown' ? 1 : -1)
    const target = next < 0 ? input : links[Math.min(next, links.length - 1)]
    target?.focus()
  } else if (event.key === 'Enter' && event.target === input) {
    event.preventDefault()
    links[0]?.click()
  }
}
