import { expect, it } from 'vitest'
import { createButtons } from './answer-buttons.ts'
import { addDisplay, createPlace } from './asked-question.test-case.ts'

it('tells each wait that has not ended which button was pressed, also afterwards', async () => {
  const kitchen = createPlace('kitchen')
  const { press } = addDisplay(kitchen.speaker)
  const no = { sentence: 'no', name: 'no', output: 1, value: false }
  const answers = { names: ['no'], possible: [no], buttons: [no] }
  const buttons = createButtons({ text: 'Is it cold?', answers }, 'cold')
  buttons.showOn([kitchen.speaker])
  const [ended, open] = [new AbortController(), new AbortController()]
  const told: string[] = []
  void buttons.untilPressed(ended.signal).then(() => told.push('a wait that has ended'))
  ended.abort()
  const during = buttons.untilPressed(open.signal)
  press(0)
  const outcome = { answer: no, by: 'button' }
  expect([await during, await buttons.untilPressed(open.signal)]).toEqual([outcome, outcome])
  expect(told).toEqual([])
})
