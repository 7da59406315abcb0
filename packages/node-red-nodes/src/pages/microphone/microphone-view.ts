import { minLevelDb } from '../../microphones/level.ts'
import type { PageSettings, TalkMode } from '../../microphones/page/page-messages.ts'
import { keepAwake } from '../keep-awake.ts'
import { element } from '../page-texts.ts'
import { connectPage, type MicrophoneConnection } from './connect-microphone.ts'
import {
  explainHttps,
  nameControls,
  showConnected,
  showHint,
  showLevel,
  showReason,
  showRecording,
  showText,
  showWaiting,
  type TextKey,
  texts,
} from './microphone-signs.ts'
import { Talk, type TalkState } from './talk.ts'
import { useTalkButton } from './talk-button.ts'
import { useSpeaker } from './use-speaker.ts'

const recordingTexts: Record<TalkMode, TextKey> = {
  push: 'recordingPush',
  tap: 'recordingTap',
  'hands-free': 'recordingHandsFree',
  'wake-word': 'recordingWakeWord',
}

/** The page that records: it follows its connection and its recording. */
class MicrophoneView {
  readonly #button = element<HTMLButtonElement>('talk')
  readonly #connection: MicrophoneConnection
  #settings: PageSettings | undefined
  /** The wake word for which Node-RED waits in the sound of this page. */
  #wakeWord: string | undefined
  #talk: Talk | undefined

  constructor() {
    this.#connection = connectPage(location.pathname, {
      onReady: (settings) => this.#becomeReady(settings),
      onLost: (problem) => this.#lose(problem),
      onBusy: () => this.#interrupt('busy', true),
      onShow: showText,
      onStop: () => this.#interrupt('stopped'),
      onWaiting: ([phrase = '']) => {
        this.#wakeWord = phrase
        if (this.#talk?.state === 'waiting') showWaiting(phrase)
      },
      onAwake: () => this.#talk?.wake(),
      onWakeWordProblem: (reason) => this.#showWakeWordProblem(reason),
    })
    nameControls()
    showConnected(false)
    if (!isSecureContext) explainHttps()
  }

  #becomeReady(settings: PageSettings): void {
    const used = this.#settings
    showConnected(true)
    if (!used) this.#use(settings)
    else if (used.mode !== settings.mode || used.speaker !== settings.speaker) location.reload()
    this.#button.disabled = this.#talk === undefined
    if (this.#talk?.state === 'waiting') this.#talk.wait()
  }

  #lose(problem: TextKey | undefined): void {
    const wasTalking = this.#talk !== undefined && !['idle', 'waiting'].includes(this.#talk.state)
    this.#talk?.interrupt()
    showConnected(false)
    if (!isSecureContext) explainHttps()
    this.#button.disabled = true
    if (wasTalking) showHint('lost', true)
    else if (problem) showHint(problem, true)
  }

  #interrupt(hint: TextKey, isProblem = false): void {
    this.#talk?.interrupt()
    showHint(hint, isProblem)
  }

  #showWakeWordProblem(reason: string): void {
    this.#wakeWord = undefined
    if (this.#talk?.state !== 'waiting') return
    showWaiting(undefined)
    showReason(`${texts.wakeWordProblem} ${reason}`)
  }

  #use(settings: PageSettings): void {
    this.#settings = settings
    const { mode, speaker } = settings
    if (speaker) useSpeaker(speaker)
    // In the other modes, the screen of a phone goes dark between two recordings as usual.
    if (speaker || mode === 'hands-free' || mode === 'wake-word') keepAwake('play-and-record')
    this.#button.textContent = texts[mode]
    if (!isSecureContext) return
    if (typeof AudioWorkletNode === 'undefined') showHint('unsupported', true)
    else this.#allowTalk(mode)
  }

  #allowTalk(mode: TalkMode): void {
    const talk = new Talk({
      mode,
      connection: this.#connection,
      onState: (state) => this.#showState(state, mode),
      onLevel: showLevel,
      onProblem(problem) {
        if (problem) showHint(problem, true)
        else if (talk.state === 'recording') showHint(recordingTexts[mode])
      },
    })
    this.#talk = talk
    useTalkButton(this.#button, mode, talk)
    addEventListener('pagehide', () => talk.stop())
    document.addEventListener('visibilitychange', () => {
      // A page that nobody sees records only if it was asked to listen all the time.
      const isLasting = mode === 'hands-free' || mode === 'wake-word'
      if (document.visibilityState === 'hidden' && !isLasting) talk.stop()
    })
  }

  #showState(state: TalkState, mode: TalkMode): void {
    const isRecording = state === 'recording' || state === 'ending'
    showRecording(isRecording)
    const isOn = isRecording || state === 'waiting'
    this.#button.textContent = isOn ? texts[endTextOf(mode)] : texts[mode]
    showLevel(minLevelDb)
    if (state === 'idle') showHint()
    else if (state === 'waiting') showWaiting(this.#wakeWord)
    else showHint(state === 'opening' ? 'opening' : recordingTexts[mode])
  }
}

function endTextOf(mode: TalkMode): TextKey {
  if (mode === 'wake-word') return 'endWakeWord'
  return mode === 'push' ? 'endPush' : 'endTap'
}

new MicrophoneView()
