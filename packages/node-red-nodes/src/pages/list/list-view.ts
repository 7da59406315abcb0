import type { ListedPage } from '../../page-server/page-list.ts'
import { element, pageTexts, write } from '../page-texts.ts'

const refreshMs = 5000

const { texts } = pageTexts<'list'>()
const list = element('list')
let shown = ''

document.title = texts.title
write('title', texts.title)

function itemOf({ kind, path, name, open }: ListedPage): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `${kind}/${encodeURIComponent(path)}`
  link.textContent = name
  const about = document.createElement('small')
  const count = open > 1 ? ` (${open})` : ''
  about.textContent = `${texts[kind]} · ${open > 0 ? texts.open + count : texts.notOpen}`
  item.classList.toggle('open', open > 0)
  item.append(link, about)
  return item
}

function show(pages: readonly ListedPage[]): void {
  const focused = document.activeElement?.getAttribute('href')
  list.replaceChildren(...pages.map(itemOf))
  if (focused) list.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus()
  write('problem', pages.length === 0 ? texts.none : '')
}

async function refresh(): Promise<void> {
  if (document.visibilityState === 'hidden') return
  try {
    const response = await fetch('page-list')
    const json = await response.text()
    if (json === shown) return
    show(JSON.parse(json))
    shown = json
  } catch {
    shown = ''
    write('problem', texts.connecting)
  }
}

void refresh()
setInterval(refresh, refreshMs)
document.addEventListener('visibilitychange', refresh)
