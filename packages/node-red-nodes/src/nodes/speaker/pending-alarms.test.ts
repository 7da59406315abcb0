import { expect, it } from 'vitest'
import type { AlarmControl, ShownAlarm } from '../../speakers/driver.ts'
import { PendingAlarms } from './pending-alarms.ts'

/** A page, and a speaker that has it. */
function createDisplay(device: string) {
  const shown: (readonly ShownAlarm[])[] = []
  let press: AlarmControl = () => {}
  const showAlarms = (alarms: readonly ShownAlarm[], control: AlarmControl) => {
    shown.push(alarms)
    press = control
  }
  const speaker = { devices: [device], driver: { showAlarms } }
  return { speaker, shown, press: () => press('a', 'acknowledge') }
}

const [water, fire] = [
  { id: 'a', text: 'Water in the cellar' },
  { id: 'b', text: 'Fire' },
]

it('a speaker shows the alarms that are said on its device, also if it is new', () => {
  const pressed: unknown[] = []
  const alarms = new PendingAlarms((...values) => pressed.push(values))
  const [hall, kitchen, renamed] = ['hall', 'kitchen', 'hall'].map(createDisplay)
  alarms.show([{ ...water, devices: ['hall', 'bell'] }], [hall!.speaker, kitchen!.speaker])
  alarms.showOn(renamed!.speaker)
  alarms.showOn({ devices: ['hall'], driver: {} })
  expect([hall!.shown, kitchen!.shown, renamed!.shown]).toEqual([[[water]], [[]], [[water]]])
  renamed!.press()
  expect(pressed).toEqual([['a', 'acknowledge']])
})

it('two speakers with the same page show the alarms of both there', () => {
  const alarms = new PendingAlarms(() => {})
  const page = createDisplay('page tablet')
  const [kitchen, hall] = [page.speaker, { ...page.speaker }]
  alarms.show(
    [
      { ...water, devices: ['page tablet'] },
      { ...fire, devices: ['page tablet', 'bell'] },
    ],
    [kitchen, hall],
  )
  alarms.showOn({ ...page.speaker })
  expect(page.shown).toEqual(Array(3).fill([water, fire]))
})

it('a new speaker clears its page of an alarm that is over', () => {
  const alarms = new PendingAlarms(() => {})
  const page = createDisplay('page tablet')
  alarms.show([{ ...water, devices: ['page tablet'] }], [page.speaker])
  // Meanwhile, no speaker had this page.
  alarms.show([], [])
  alarms.showOn(page.speaker)
  expect(page.shown).toEqual([[water], []])
})
