import type { TalkMode } from '../../microphones/page/page-messages.ts'
import type { Talk } from './talk.ts'

/** Lets a button control what is recorded. */
export function useTalkButton(button: HTMLButtonElement, mode: TalkMode, talk: Talk): void {
  if (mode !== 'push') {
    button.addEventListener('click', () => (talk.state === 'idle' ? talk.start() : talk.stop()))
    return
  }
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    // The finger may leave the button while it is held.
    button.setPointerCapture(event.pointerId)
    talk.start()
  })
  for (const end of ['pointerup', 'pointercancel', 'blur']) {
    button.addEventListener(end, () => talk.stop())
  }
  const isKey = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter'
  button.addEventListener('keydown', (event) => {
    if (isKey(event) && !event.repeat) talk.start()
  })
  button.addEventListener('keyup', (event) => {
    if (isKey(event)) talk.stop()
  })
  // A long touch opens a menu.
  button.addEventListener('contextmenu', (event) => event.preventDefault())
}
