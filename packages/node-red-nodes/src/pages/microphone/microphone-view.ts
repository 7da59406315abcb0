import { minLevelDb } from '../../microphones/end-of-turn.ts'
import type { PageSettings, TalkMode, TextRole } from '../../microphones/page/page-messages.ts'
import { element, pageTexts, type TextsOf, write } from '../page-texts.ts'
import { connectSpeaker, keepAwake } from '../speaker/connect-speaker.ts'
import { createQuestionView } from '../speaker/question-view.ts'
import { connectPage } from './connect-microphone.ts'
import { Talk, type TalkState } from './talk.ts'
import { useTalkButton } from './talk-button.ts'

type TextKey = keyof TextsOf<'microphone'>

const { texts } = pageTexts<'microphone'>()
const button = element<HTMLButtonElement>('talk')

const recordingTexts: Record<TalkMode, TextKey> = {
  push: 'recordingPush',
  tap: 'recordingTap',
  'hands-free': 'recordingHandsFree',
  'wake-word': 'recordingWakeWord',
}

let used: PageSettings | undefined
/** For which Node-RED waits in the sound of this page. */
let wakeWord: string | undefined
let talk: Talk | undefined

write('volume-label', texts.volume)
element('meter').setAttribute('aria-label', texts.level)

function showHint(key?: TextKey, isProblem = false): void {
  write('hint', key ? texts[key] : '')
  element('hint').classList.toggle('problem', isProblem)
}

function showLevel(levelDb: number): void {
  const percent = Math.round((1 - levelDb / minLevelDb) * 100)
  element('level').style.transform = `scaleX(${percent / 100})`
  element('meter').setAttribute('aria-valuenow', String(percent))
}

function showConnected(isConnected: boolean): void {
  document.body.classList.toggle('connected', isConnected)
  write('state', isConnected ? texts.ready : texts.connecting)
}

/** Shows what somebody has said, above the response to it. */
function showText(role: TextRole, text: string): void {
  if (role === 'user') write('said', '')
  write(role === 'user' ? 'heard' : 'said', text)
}

/** Explains why the browser allows no microphone, and what helps. */
function explainHttps(): void {
  const { port, pathname } = location
  const here = `http://localhost${port && `:${port}`}${pathname}`
  for (const id of ['talk', 'meter', 'hint']) element(id).hidden = true
  element('insecure').hidden = false
  write('insecure-title', texts.insecureTitle)
  write('insecure-why', texts.insecureWhy)
  write('insecure-here', texts.insecureHere)
  write('insecure-how', texts.insecureHow)
  write('insecure-link', decodeURI(here))
  element<HTMLAnchorElement>('insecure-link').href = here
}

/** Plays the sounds of a speaker page, too, and shows its announcements. */
function useSpeaker(name: string): void {
  const path = new URL(`../speaker/${encodeURIComponent(name)}`, location.href).pathname
  const { unlock, setVolume, answer } = connectSpeaker(path, {
    onSaying(saying) {
      document.body.classList.toggle('saying', saying !== undefined)
      // The text stays until the next one. That of a response may be shown before its sound.
      if (saying) showText('assistant', saying)
    },
    onUnlocked(isUnlocked) {
      if (!isUnlocked) showHint('sound')
      else if (element('hint').textContent === texts.sound) showHint()
    },
    // The state of the page is that of its microphone.
    onConnected() {},
    onQuestion: (question) => questionView.showQuestion(question),
    onHeard({ text, isUnderstood, response = '' }) {
      showText('user', text)
      showText('assistant', isUnderstood ? response : texts.notUnderstood)
    },
    // Commands would share the microphone with the button.
    earUses: ['question'],
    onEar: (_use, state) => questionView.showEar(state),
  })
  const questionView = createQuestionView({ texts, answer, onResize() {} })
  element('volume-row').hidden = false
  const volume = element<HTMLInputElement>('volume')
  volume.addEventListener('input', () => setVolume(Number(volume.value)))
  showHint('sound')
  // Some browsers need no tap: a kiosk, or where the user allows sound for this page.
  unlock()
}

/** Shows that the sound is only searched for the wake word, once Node-RED does that. */
function showWaiting(): void {
  document.body.classList.toggle('waiting', wakeWord !== undefined)
  write('state', wakeWord === undefined ? texts.opening : texts.waiting)
  if (wakeWord === undefined) showHint('opening')
  else write('hint', texts.waitingFor.replace('__phrase__', wakeWord))
}

const connection = connectPage(location.pathname, {
  onReady(settings) {
    showConnected(true)
    if (!used) use(settings)
    else if (used.mode !== settings.mode || used.speaker !== settings.speaker) location.reload()
    button.disabled = talk === undefined
    if (talk && talk.state === 'waiting') talk.wait()
  },
  onLost(problem) {
    const wasTalking = talk !== undefined && !['idle', 'waiting'].includes(talk.state)
    talk?.interrupt()
    showConnected(false)
    if (!isSecureContext) explainHttps()
    button.disabled = true
    if (wasTalking) showHint('lost', true)
    else if (problem) showHint(problem, true)
  },
  onBusy() {
    talk?.interrupt()
    showHint('busy', true)
  },
  onShow: showText,
  onStop() {
    talk?.interrupt()
    showHint('stopped')
  },
  onWaiting([phrase = '']) {
    wakeWord = phrase
    if (talk?.state === 'waiting') showWaiting()
  },
  onAwake: () => talk?.wake(),
  onDeaf(reason) {
    wakeWord = undefined
    if (talk?.state !== 'waiting') return
    showWaiting()
    element('hint').classList.add('problem')
    write('hint', `${texts.deaf} ${reason}`)
  },
})

function use(settings: PageSettings): void {
  used = settings
  const { mode, speaker } = settings
  if (speaker) useSpeaker(speaker)
  // Without, the screen of a phone goes dark between two recordings as usual.
  if (speaker || mode === 'hands-free' || mode === 'wake-word') keepAwake('play-and-record')
  button.textContent = texts[mode]
  if (!isSecureContext) return
  if (typeof AudioWorkletNode === 'undefined') showHint('unsupported', true)
  else allowTalk(mode)
}

function endTextOf(mode: TalkMode): TextKey {
  if (mode === 'wake-word') return 'endWakeWord'
  return mode === 'push' ? 'endPush' : 'endTap'
}

function allowTalk(mode: TalkMode): void {
  const onState = (state: TalkState) => {
    const isRecording = state === 'recording' || state === 'ending'
    document.body.classList.toggle('recording', isRecording)
    document.body.classList.remove('waiting')
    if (document.body.classList.contains('connected'))
      write('state', isRecording ? texts.recording : texts.ready)
    const isOn = isRecording || state === 'waiting'
    button.textContent = isOn ? texts[endTextOf(mode)] : texts[mode]
    showLevel(minLevelDb)
    if (state === 'idle') showHint()
    else if (state === 'waiting') showWaiting()
    else showHint(state === 'opening' ? 'opening' : recordingTexts[mode])
  }
  const onProblem = (problem: TextKey | undefined) => {
    if (problem) showHint(problem, true)
    else if (talk!.state === 'recording') showHint(recordingTexts[mode])
  }
  const current = new Talk({ mode, connection, onState, onLevel: showLevel, onProblem })
  talk = current
  useTalkButton(button, mode, current)
  addEventListener('pagehide', () => current.stop())
  document.addEventListener('visibilitychange', () => {
    // A page that nobody sees records only if it was asked to listen all the time.
    const isLasting = mode === 'hands-free' || mode === 'wake-word'
    if (document.visibilityState === 'hidden' && !isLasting) current.stop()
  })
}

showConnected(false)
if (!isSecureContext) explainHttps()
