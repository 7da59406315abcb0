import { expect, it } from 'vitest'
import { isSettledCut } from './settled-cut.ts'

it.each(['The door is | open', 'Well, | yes', 'It is 5, | and cold', 'See “this” | (now)'])(
  'the words of %s are read the same on both sides',
  (text) => {
    expect(isSettledCut(text.replace('|', ''), text.indexOf('|'))).toBe(true)
  },
)

it.each([
  '5 | km',
  '2 in | thick',
  'is | 4071',
  '10, | 20',
  'Chapter | IV',
  'No. | five',
  '7:30 | am',
  'at | €5',
  'Sono | le 1:00',
  '¿Son | las 1:00',
  'Mon - | Fri',
])('the words of %s belong together', (text) => {
  expect(isSettledCut(text.replace('|', ''), text.indexOf('|'))).toBe(false)
})
