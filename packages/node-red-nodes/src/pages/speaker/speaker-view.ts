import type { AlarmsMessage } from '../../speakers/browser/commands.ts'
import type { ConnectionProblem } from '../keep-connected.ts'
import { element, pageTexts, write } from '../page-texts.ts'
import { canPlaySound } from '../player.ts'
import { connectSpeaker, keepAwake } from './connect-speaker.ts'
import { createEarlier, type Said } from './earlier.ts'

const { language, texts } = pageTexts<'speaker'>()

write('at', texts.waiting)
write('tap', canPlaySound ? texts.tap : texts.noSound)
write('why', canPlaySound ? texts.why : '')
write('volume-label', texts.volume)
write('earlier-title', texts.earlier)
element('alarms').setAttribute('aria-label', texts.alarms)
element<HTMLButtonElement>('tap').disabled = !canPlaySound

const earlier = createEarlier(() => localStorage, `parlando speaker ${document.title}`)
const text = element('text')
/** Of the text, in percent of the shorter side of the screen. */
const sizes = [15, 12, 10, 8, 7, 6, 5, 4]

function timeOf({ at }: Said): HTMLTimeElement {
  const time = document.createElement('time')
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  time.dateTime = date.toISOString()
  time.textContent = date.toLocaleTimeString(language, {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isToday && { weekday: 'short' }),
  })
  return time
}

function showEarlier(all: readonly Said[]): void {
  element('earlier').hidden = all.length === 0
  const items = all.slice(0, 10).map((said) => {
    const item = document.createElement('li')
    item.append(timeOf(said), said.text)
    return item
  })
  element('list').replaceChildren(...items)
}

function showSaying(saying: string): void {
  const said = { text: saying || texts.soundWithoutText, at: Date.now() }
  text.textContent = said.text
  element('at').replaceChildren(timeOf(said))
  showEarlier(earlier.all())
  earlier.add(said)
  fitText(text)
}

const { unlock, setVolume, acknowledge } = connectSpeaker(location.pathname, {
  onSaying(saying) {
    document.body.classList.toggle('saying', saying !== undefined)
    // The text stays until the next one, for people who look up too late.
    if (saying !== undefined) showSaying(saying)
  },
  onUnlocked(isUnlocked) {
    document.body.classList.toggle('locked', !isUnlocked)
    fitText(text)
  },
  onConnected: showConnected,
  onAlarms: showAlarms,
})

/** Shows what somebody must acknowledge, each with a button. */
function showAlarms(alarms: AlarmsMessage['alarms']): void {
  element('alarms').hidden = alarms.length === 0
  const items = alarms.map(({ id, text: words }) => {
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = texts.acknowledge
    button.setAttribute('aria-label', `${texts.acknowledge}: ${words}`)
    button.addEventListener('click', () => void acknowledge(id).catch(() => {}))
    item.append(words, button)
    return item
  })
  element('alarm-list').replaceChildren(...items)
  fitText(text)
}

const volume = element<HTMLInputElement>('volume')
volume.addEventListener('input', () => setVolume(Number(volume.value)))

function showConnected(isConnected: boolean, problem?: ConnectionProblem): void {
  element('problem').hidden = problem === undefined
  write('problem', problem ? texts[problem] : '')
  document.body.classList.toggle('connected', isConnected)
  write('state', isConnected ? texts.ready : texts.connecting)
}

showConnected(false)
showEarlier(earlier.all())
fitText(text)
addEventListener('resize', () => fitText(text))
keepAwake('playback')
// Some browsers need no tap: a kiosk, or where the user allows sound for this page.
unlock()

/** Makes the text of an element as large as its box allows. A text that is still too long can be scrolled. */
function fitText(element: HTMLElement): void {
  for (const size of sizes) {
    element.style.fontSize = `${size}vmin`
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element
    if (scrollHeight <= clientHeight && scrollWidth <= clientWidth) return
  }
}
