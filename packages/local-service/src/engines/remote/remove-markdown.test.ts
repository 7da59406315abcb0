import { expect, it } from 'vitest'
import { removeMarkdown } from './remove-markdown.ts'

it.each([
  ['**Attention**: the *door* is `open`', 'Attention: the door is open'],
  ['## News', 'News.'],
  ['See [the page](https://example.org)', 'See the page'],
  ['the end of an emphasis** here', 'the end of an emphasis here'],
  ['1. FC Köln wins', '1. FC Köln wins'],
  ['2) tea\n3) coffee', '2) tea\n3) coffee'],
  ['5 * 3 is 15', '5 * 3 is 15'],
  ['🎉', ''],
])('removes the Markdown syntax of %j', (text, plain) => {
  expect(removeMarkdown(text)).toBe(plain)
})
