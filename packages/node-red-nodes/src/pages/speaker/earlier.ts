interface Said {
  text: string
  /** Milliseconds since 1970. */
  at: number
}

const maxShown = 10

/** Shows the last announcements with their time, also after the page was loaded again. */
export function showEarlier(section: HTMLElement, key: string, title: string) {
  const list = section.querySelector('ol')!
  section.querySelector('h2')!.textContent = title
  let all = load(key)

  const show = () => {
    section.hidden = all.length === 0
    list.replaceChildren(
      ...all.map(({ text, at }) => {
        const item = document.createElement('li')
        const time = document.createElement('time')
        const date = new Date(at)
        time.dateTime = date.toISOString()
        time.textContent = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
        item.append(time, text)
        return item
      }),
    )
  }
  show()
  return {
    add(text: string) {
      all = [{ text, at: Date.now() }, ...all].slice(0, maxShown)
      show()
      try {
        localStorage.setItem(key, JSON.stringify(all))
      } catch {
        // Private windows may not store anything.
      }
    },
  }
}

function load(key: string): Said[] {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? '[]') as Said[]).slice(0, maxShown)
  } catch {
    return []
  }
}
