import { expect, it } from 'vitest'
import type { AlarmControl, ShownAlarm } from '../../speakers/driver.ts'
import { PendingAlarms } from './pending-alarms.ts'

function createDisplay(id: string) {
  const shown: (readonly ShownAlarm[])[] = []
  let press: AlarmControl = () => {}
  const showAlarms = (alarms: readonly ShownAlarm[], control: AlarmControl) => {
    shown.push(alarms)
    press = control
  }
  return { speaker: { id, driver: { showAlarms } }, shown, press: () => press('a', 'acknowledge') }
}

const alarm = { id: 'a', text: 'Water in the cellar' }

it('a speaker shows the alarms that are said on it, also if it is new', () => {
  const pressed: unknown[] = []
  const alarms = new PendingAlarms((...values) => pressed.push(values))
  const [hall, kitchen, renamed] = ['hall', 'kitchen', 'hall'].map(createDisplay)
  alarms.show([{ ...alarm, speakerIds: ['hall'] }], [hall!.speaker, kitchen!.speaker])
  alarms.showOnNew(renamed!.speaker)
  alarms.showOnNew({ id: 'hall', driver: {} })
  expect([hall!.shown, kitchen!.shown, renamed!.shown]).toEqual([[[alarm]], [[]], [[alarm]]])
  renamed!.press()
  expect(pressed).toEqual([['a', 'acknowledge']])
})

it('a new speaker without an alarm leaves the page as it is, which may be that of another one', () => {
  const alarms = new PendingAlarms(() => {})
  const kitchen = createDisplay('kitchen')
  alarms.show([{ ...alarm, speakerIds: ['hall'] }], [])
  alarms.showOnNew(kitchen.speaker)
  expect(kitchen.shown).toEqual([])
})
