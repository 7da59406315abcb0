import { expect, it } from 'vitest'
import { History } from './history.ts'

const place = { response_id: 'r', item_id: 'a', output_index: 0, content_index: 0 }
const text = 'One two three four.'

it.each([
  ['the whole message', text],
  ['the part that it believes was heard', 'One two three'],
])('an interrupted message is shortened once, also if the service reports %s', (_, transcript) => {
  const history = new History()
  const item = { id: 'a', type: 'message', role: 'assistant', content: [] }
  history.note({ type: 'conversation.item.added', item })
  for (const delta of ['One two', ' three four.']) {
    history.note({ type: 'response.output_audio_transcript.delta', ...place, delta })
  }
  history.note({ type: 'response.output_audio_transcript.done', ...place, transcript })
  const content = [{ type: 'output_audio', transcript }]
  history.note({ type: 'conversation.item.done', item: { ...item, content } })
  history.shorten('a', 7 / text.length)
  expect(history.restore()).toMatchObject([{ content: [{ text: 'One two' }] }])
})

it('an interrupted message is not shortened within a character', () => {
  const history = new History()
  const content = [{ type: 'output_audio', transcript: 'Hi 😀' }]
  const item = { id: 'a', type: 'message', role: 'assistant', content }
  history.note({ type: 'conversation.item.done', item })
  history.shorten('a', 4 / 5)
  expect(history.restore()).toMatchObject([{ content: [{ text: 'Hi ' }] }])
})
