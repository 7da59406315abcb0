import { countWordsInOrder, wordsOf } from '@parlando/test-support/audio/compare-words'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it, vi } from 'vitest'

const example = useExample('12 - Dictate into a file.json')

it('writes what was dictated into a file, one line per text', needsRecogniser(), async () => {
  await example.press('dictate')
  const [text] = await example.debugTexts('what was said')
  const dictated = wordsOf(nodeNamed(example.flow, 'dictate').payload)
  // The recogniser is weak at dictation.
  expect(countWordsInOrder(dictated, wordsOf(text!))).toBeGreaterThan(dictated.length / 2)
  await vi.waitFor(async () => {
    const lines = (await example.read('notes.txt')).toString().split('\n')
    expect(lines[0]).toBe(text)
  })
})
