import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { useExample } from '@parlando/test-support/node-red/example'
import { describe, expect, it } from 'vitest'

const example = useExample('21 - Kitchen timer.json', (flow) => {
  // Nobody waits for three minutes: the last sentence of the test sets a timer of two seconds.
  const [button] = flow.filter(({ name }) => name === 'cancel')
  flow.push({
    ...button!,
    id: 'parlando-21-short',
    name: 'two seconds',
    payload: 'in two seconds the egg',
    wires: [['parlando-21-remind']],
  })
})

describe('a kitchen timer', needsRecogniser(), () => {
  it('is set, asked for and cancelled by voice', async () => {
    await example.press('three minutes')
    expect(await example.debugTexts('answer', 1)).toEqual(['Timer: 3 minutes.'])
    await example.press('how long is left?')
    const [, left] = await example.debugTexts('answer', 2)
    expect(left).toMatch(/^Timer: [23] minutes.* left\.$/)
    expect(example.statuses('kitchen timer').at(-1)).toMatch(/^next: \d/)
    await example.press('cancel')
    const [, , cancelled] = await example.debugTexts('answer', 3)
    expect(cancelled).toBe('Cancelled: Timer.')
  })
})

it('says what is due', async () => {
  const editor = example.openEditor()
  await example.press('two seconds')
  expect(await example.debugTexts('due')).toEqual(['the egg'])
  await expect
    .poll(() => editor.commands.filter(({ type }) => type === 'offer').length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(2)
  editor.close()
})
