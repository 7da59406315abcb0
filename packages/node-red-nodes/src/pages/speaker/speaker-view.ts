import { keepAwake } from '../keep-awake.ts'
import type { ConnectionProblem } from '../keep-connected.ts'
import { element, pageTexts, type TextsOf, write } from '../page-texts.ts'
import { canPlaySound } from '../player.ts'
import { createAlarmList } from './alarm-list.ts'
import type { MicrophoneState } from './browser-microphone.ts'
import { connectSpeaker } from './connect-speaker.ts'
import { createEarlier, type Said } from './earlier.ts'
import { createHeardView } from './heard-view.ts'
import { createQuestionView } from './question-view.ts'
import { createReadingView } from './reading-view.ts'
import { createWordHighlight } from './word-highlight.ts'

const { language, texts } = pageTexts<'speaker'>()

const commandMicrophoneTexts: Partial<Record<MicrophoneState, keyof TextsOf<'speaker'>>> = {
  open: 'hearing',
  insecure: 'hearingInsecure',
  denied: 'hearingDenied',
  noMicrophone: 'noMicrophone',
  inUse: 'inUse',
  unsupported: 'unsupported',
}

write('at', texts.waiting)
write('tap', canPlaySound ? texts.tap : texts.noSound)
write('why', canPlaySound ? texts.why : '')
write('volume-label', texts.volume)
write('earlier-title', texts.earlier)
element<HTMLButtonElement>('tap').disabled = !canPlaySound

const followWords = createWordHighlight(element('text'))
const earlier = createEarlier(() => localStorage, `parlando speaker ${document.title}`)
const text = element('text')
/** The sizes of the text, in percent of the shorter side of the screen. */
const sizes = [15, 12, 10, 8, 7, 6, 5, 4]

function timeOf(at: number): HTMLTimeElement {
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
    item.append(timeOf(said.at), said.text)
    return item
  })
  element('list').replaceChildren(...items)
}

function showSaying(saying: string): void {
  const said = { text: saying || texts.soundWithoutText, at: Date.now() }
  element('at').replaceChildren(timeOf(said.at))
  showEarlier(earlier.all())
  // A book would drive the announcements out of the list.
  if (!readingView.isSentence(saying)) earlier.add(said)
  showText(said.text)
}

function showText(shown: string): void {
  text.textContent = shown
  fitText(text)
}

const { unlock, setVolume, control, answer, controlReading } = connectSpeaker(location.pathname, {
  onSaying(saying, progress) {
    document.body.classList.toggle('saying', saying !== undefined)
    // The text stays until the next one, for people who look up too late.
    if (saying !== undefined) showSaying(saying)
    followWords(progress)
  },
  onUnlocked(isUnlocked) {
    document.body.classList.toggle('locked', !isUnlocked)
    fitText(text)
  },
  onConnected: showConnected,
  onAlarms: (alarms) => showAlarms(alarms),
  onQuestion: (question) => questionView.showQuestion(question),
  onReading: (reading) => {
    readingView.show(reading)
    fitText(text)
  },
  onHeard: (heard) => showHeard(heard),
  microphoneUses: ['question', 'commands'],
  onMicrophone(use, state) {
    if (use === 'question') questionView.showMicrophone(state)
    else showCommandMicrophone(state)
  },
})

const questionView = createQuestionView({ texts, answer, onResize: () => fitText(text) })
const readingView = createReadingView({ texts, control: controlReading, showText })
const showAlarms = createAlarmList({ texts, timeOf, control, onResize: () => fitText(text) })

const showHeard = createHeardView(texts, () => fitText(text))

/** Shows when the microphone is open. A screen reader does not speak it: it would speak over the announcement. */
function showCommandMicrophone(state: MicrophoneState): void {
  const key = commandMicrophoneTexts[state]
  document.body.classList.toggle('hearing', state === 'open')
  write('command-microphone', key ? texts[key] : '')
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
keepAwake('play-and-record')
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
