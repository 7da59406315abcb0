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

it('a sentence of a script without spaces is heard character by character', () => {
  const spoken = createSpokenText()
  spoken.addSentence('𠮷野家😀')
  spoken.addAudio(600)
  spoken.end()
  const heard = [99, 150, 200, 350, 500, 599, 600].map((ms) => spoken.textUntil(ms))
  expect(heard).toEqual(['', '', '𠮷', '𠮷野', '𠮷野家', '𠮷野家', '𠮷野家😀'])
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
