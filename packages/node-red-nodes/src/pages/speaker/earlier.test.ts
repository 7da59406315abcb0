import { describe, expect, it } from 'vitest'
import { createEarlier } from './earlier.ts'

function createStorage(stored: Record<string, string> = {}) {
  return {
    stored,
    getItem: (key: string) => stored[key] ?? null,
    setItem(key: string, value: string) {
      stored[key] = value
    },
  }
}

describe('the earlier announcements of a page', () => {
  it('are the last eleven, the newest first, also when the page is loaded again', () => {
    const storage = createStorage()
    const earlier = createEarlier(() => storage, 'kitchen')
    for (let at = 1; at <= 30; at++) earlier.add({ text: `text ${at}`, at })
    const again = createEarlier(() => storage, 'kitchen').all()
    expect(again).toHaveLength(11)
    expect(again.slice(0, 2)).toEqual([
      { text: 'text 30', at: 30 },
      { text: 'text 29', at: 29 },
    ])
    expect(again).toEqual(earlier.all())
    expect(createEarlier(() => storage, 'bedroom').all()).toEqual([])
  })

  it('are shortened to 2,000 whole characters', () => {
    const earlier = createEarlier(() => createStorage(), 'kitchen')
    earlier.add({ text: `${'x'.repeat(1999)}👍`, at: 1 })
    expect(earlier.all()).toEqual([{ text: 'x'.repeat(1999), at: 1 }])
  })

  it.each(['no JSON', '{}', 'null', '[null, 1, "a", {"text": 1}, {"text": "a", "at": 1e99}]'])(
    'are empty if the browser has stored %s',
    (value) => {
      const storage = createStorage({ kitchen: value })
      expect(createEarlier(() => storage, 'kitchen').all()).toEqual([])
    },
  )

  it('are kept until the page is closed if the browser stores nothing', () => {
    const earlier = createEarlier(() => {
      throw new Error('SecurityError')
    }, 'kitchen')
    earlier.add({ text: 'Dinner', at: 1 })
    expect(earlier.all()).toEqual([{ text: 'Dinner', at: 1 }])
  })
})
