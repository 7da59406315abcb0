import { minLevelDb } from '../../microphones/level.ts'
import type { TextRole } from '../../microphones/page/page-messages.ts'
import { element, pageTexts, type TextsOf, write } from '../page-texts.ts'

export type TextKey = keyof TextsOf<'microphone'>

/** The texts of this page, in a language of its user. */
export const { texts } = pageTexts<'microphone'>()

/** Names what has no text of its own in the page. */
export function nameControls(): void {
  write('volume-label', texts.volume)
  element('meter').setAttribute('aria-label', texts.level)
}

export function showHint(key?: TextKey, isProblem = false): void {
  write('hint', key ? texts[key] : '')
  element('hint').classList.toggle('problem', isProblem)
}

/** Shows a reason that the server has written. */
export function showReason(words: string): void {
  element('hint').classList.add('problem')
  write('hint', words)
}

/** Removes a hint, unless another one has taken its place. */
export function removeHint(key: TextKey): void {
  if (element('hint').textContent === texts[key]) showHint()
}

export function showLevel(levelDb: number): void {
  const percent = Math.round((1 - levelDb / minLevelDb) * 100)
  element('level').style.transform = `scaleX(${percent / 100})`
  element('meter').setAttribute('aria-valuenow', String(percent))
}

export function showConnected(isConnected: boolean): void {
  document.body.classList.toggle('connected', isConnected)
  write('state', isConnected ? texts.ready : texts.connecting)
}

export function showRecording(isRecording: boolean): void {
  document.body.classList.toggle('recording', isRecording)
  document.body.classList.remove('waiting')
  if (document.body.classList.contains('connected'))
    write('state', isRecording ? texts.recording : texts.ready)
}

/**
 * Shows that the sound is only searched for the wake word, once Node-RED does that.
 * @param wakeWord for which Node-RED waits; nothing: it does not yet.
 */
export function showWaiting(wakeWord: string | undefined): void {
  document.body.classList.toggle('waiting', wakeWord !== undefined)
  write('state', wakeWord === undefined ? texts.opening : texts.waiting)
  if (wakeWord === undefined) showHint('opening')
  else write('hint', texts.waitingFor.replace('__phrase__', wakeWord))
}

/** Shows what somebody has said, above the response to it. */
export function showText(role: TextRole, text: string): void {
  if (role === 'user') write('said', '')
  write(role === 'user' ? 'heard' : 'said', text)
}

/** Explains why the browser allows no microphone, and what helps. */
export function explainHttps(): void {
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
