import { expect, it } from 'vitest'
import { createSpokenText } from './spoken-text.ts'

it('a sentence is heard word by word, in proportion to its time', () => {
  const spoken = createSpokenText()
  spoken.addSentence('The light is on.')
  spoken.addAudio(1000)
  spoken.addSentence('The door is open.')
  spoken.addAudio(1000)
  spoken.end()
  expect(spoken.textUntil(0)).toBe('')
  expect(spoken.textUntil(600)).toBe('The light')
  expect(spoken.textUntil(1000)).toBe('The light is on.')
  expect(spoken.textUntil(2000)).toBe('The light is on. The door is open.')
})

it('a sentence without sound is heard once its time has come', () => {
  const spoken = createSpokenText()
  spoken.addSentence('The light is on.')
  spoken.addAudio(1000)
  spoken.addSentence('💡 💡 💡')
  spoken.addSentence('The door is open.')
  spoken.addAudio(1000)
  spoken.end()
  expect(spoken.textUntil(600)).toBe('The light')
  expect(spoken.textUntil(1000)).toBe('The light is on. 💡 💡 💡')
})
