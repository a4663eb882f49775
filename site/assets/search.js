// The search of the site: its entries are loaded when the box is first used, and searched in the browser.
import MiniSearch from './minisearch.js'

const root = document.body.dataset.root
const box = document.querySelector('input[type=search]')
const list = document.querySelector('#found')
const MOST = 12
let loading = null

// Readers look for what they do with Harrier before how it is made.
const boostDocument = (_id, _term, { u }) => (u.startsWith('contribute/') ? 0.3 : 1)

const load = () =>
  (loading ??= fetch(`${root}assets/entries.json`)
    .then((answer) => answer.json())
    .then((entries) => {
      const index = new MiniSearch({
        fields: ['t', 'h', 'x'],
        storeFields: ['u', 't', 'h', 'x'],
        searchOptions: { boost: { t: 4, h: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND', boostDocument },
      })
      index.addAll(entries.map((entry, id) => ({ id, ...entry })))
      return index
    })
    .catch((error) => {
      loading = null
      throw error
    }))

/** The words around the first term that was found. */
const around = (text, terms) => {
  const at = Math.max(0, ...terms.map((term) => text.toLowerCase().indexOf(term)))
  const from = at < 60 ? 0 : text.indexOf(' ', at - 50) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 140)}${text.length > from + 140 ? ' …' : ''}`
}

const show = (items) => {
  list.replaceChildren(...items)
  list.hidden = items.length === 0
  box.setAttribute('aria-expanded', String(items.length > 0))
}

const line = (tag, name, text) => {
  const made = document.createElement(tag)
  made.className = name
  made.textContent = text
  return made
}

const item = ({ u, t, h, x, terms }) => {
  const link = document.createElement('a')
  link.href = root + u
  link.append(line('strong', 'where', h === '' ? t : `${t} › ${h}`), line('span', 'text', around(x, terms)))
  const made = document.createElement('li')
  made.append(link)
  return made
}

const search = async () => {
  const text = box.value.trim()
  if (text === '') return show([])
  try {
    const index = await load()
    const found = index.search(text).slice(0, MOST)
    if (box.value.trim() === text)
      show(found.length > 0 ? found.map(item) : [line('li', 'none', `Nothing found for “${text}”`)])
  } catch {
    show([line('li', 'none', 'The search could not be loaded. Reload the page.')])
  }
}

box.addEventListener('focus', () => void load().catch(() => {}), { once: true })
box.addEventListener('input', search)
box.form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    box.focus()
  } else if (event.key === 'Escape') {
    show([])
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)]
    event.preventDefault()
    ;(next ?? box).focus()
  }
})
document.addEventListener('click', (event) => {
  if (!box.form.contains(event.target)) show([])
})

for (const block of document.querySelectorAll('pre')) {
  const button = line('button', 'copy', 'Copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  if (navigator.clipboard) block.append(button)
}
