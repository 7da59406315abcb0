import { countWordsInOrder, wordsOf } from '@parlando/test-support/audio/compare-words'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it } from 'vitest'

const example = useExample('14 - Voicemail to text.json')

it('turns a recording into one text, and says how long it is', needsRecogniser(), async () => {
  await example.press('leave a message')
  const [text] = await example.debugTexts('the text')
  const said = wordsOf(nodeNamed(example.flow, 'leave a message').payload)
  expect(countWordsInOrder(said, wordsOf(text!))).toBeGreaterThan(said.length / 2)
  const [length] = await example.debugTexts('length')
  expect(length).toMatch(/^[2-7](\.\d)? s$/)
  expect(example.nodeRed.debugTexts('parlando-14-why')).toEqual([])
})
