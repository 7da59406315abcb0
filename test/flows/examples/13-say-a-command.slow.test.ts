import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { useExample } from '@parlando/test-support/node-red/example'
import { describe, expect, it } from 'vitest'

const example = useExample('13 - Say a command.json')

describe('a spoken command', needsRecogniser(), () => {
  it('switches the light of its room', async () => {
    await example.press('kitchen light on')
    expect(await example.debugTexts('switch the light', 1)).toEqual(['kitchen: on'])
    await example.press('bedroom light off')
    const switched = await example.debugTexts('switch the light', 2)
    expect(switched).toEqual(['kitchen: on', 'bedroom: off'])
  })

  it('switches nothing if something else was said', async () => {
    const before = example.nodeRed.debugTexts('parlando-13-light').length
    await example.press('something else')
    const [question] = await example.debugTexts('not understood')
    expect(question).toMatch(/^Did you mean: .+, or: .+\?$/)
    expect(example.nodeRed.debugTexts('parlando-13-light').length).toBe(before)
    expect(example.statuses('one of my commands').at(-1)).toBe('not understood')
  })
})
