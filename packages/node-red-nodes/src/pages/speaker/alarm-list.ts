import type { AlarmAction, ShownAlarm } from '../../speakers/driver.ts'
import { element, type TextsOf, write } from '../page-texts.ts'

export interface AlarmListOptions {
  texts: TextsOf<'speaker'>
  timeOf(ms: number): HTMLTimeElement
  /** Somebody has pressed a button. @throws if the server has not received it. */
  control(id: string, action: AlarmAction): Promise<void>
  /** The list has another height. */
  onResize(): void
}

interface Item {
  root: HTMLLIElement
  againAt: HTMLElement
  done: HTMLButtonElement
}

/**
 * Lists the announcements that wait for somebody, each with a button that acknowledges it and one that postpones it. An item
 * stays the same element as long as it is listed, so that the focus stays on its buttons and screen readers read it once.
 */
export function createAlarmList(options: AlarmListOptions) {
  const { texts, timeOf, onResize } = options
  const box = element('alarms')
  const list = element('alarm-list')
  const items = new Map<string, Item>()
  box.setAttribute('aria-label', texts.alarms)

  const add = (alarm: ShownAlarm) => {
    const item = createItem(alarm, options)
    items.set(alarm.id, item)
    list.append(item.root)
    return item
  }
  /** The focus of a removed item goes to the next one, or to the text. */
  const remove = (id: string, { root }: Item) => {
    const hadFocus = root.contains(document.activeElement)
    items.delete(id)
    root.remove()
    const [next] = items.values()
    if (hadFocus) (next?.done ?? element('text')).focus()
  }

  return (alarms: readonly ShownAlarm[]) => {
    for (const [id, item] of [...items]) {
      if (!alarms.some((alarm) => alarm.id === id)) remove(id, item)
    }
    for (const alarm of alarms) {
      const { againAt } = items.get(alarm.id) ?? add(alarm)
      const time = alarm.againAt === undefined ? [] : [`${texts.againAt} `, timeOf(alarm.againAt)]
      againAt.replaceChildren(...time)
    }
    box.hidden = alarms.length === 0
    onResize()
  }
}

function createItem(alarm: ShownAlarm, options: AlarmListOptions): Item {
  const { texts } = options
  const root = document.createElement('li')
  const words = document.createElement('p')
  const againAt = document.createElement('small')
  const buttons = document.createElement('div')
  const done = createButton('acknowledge', texts.acknowledge, alarm, options)
  words.append(alarm.text, againAt)
  buttons.append(done, createButton('later', texts.laterLabel, alarm, options))
  root.append(words, buttons)
  return { root, againAt, done }
}

function createButton(
  action: AlarmAction,
  label: string,
  alarm: ShownAlarm,
  options: AlarmListOptions,
): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = action
  button.textContent = options.texts[action]
  button.setAttribute('aria-label', `${label}: ${alarm.text}`)
  button.addEventListener('click', () => press(action, alarm, options))
  return button
}

function press(
  action: AlarmAction,
  { id, text }: ShownAlarm,
  { texts, control }: AlarmListOptions,
): void {
  const result = action === 'acknowledge' ? texts.acknowledged : texts.postponed
  control(id, action).then(
    () => write('alarm-result', `${result}: ${text}`),
    () => write('alarm-result', texts.connecting),
  )
}
