/**
 * Keeps the screen on and the sound audible, where the browser can.
 * @param session What the page does with sound: it only plays, or it also records.
 */
export function keepAwake(session: 'playback' | 'play-and-record'): void {
  const request = () => {
    if (document.visibilityState === 'visible')
      // The wake lock exists only over https, and on the machine itself.
      navigator.wakeLock?.request('screen').catch(() => {})
  }
  request()
  // The lock ends when the page is hidden.
  document.addEventListener('visibilitychange', request)

  // Safari 17 and later: an iPhone plays sounds of a page also while its switch is on silent.
  const { audioSession } = navigator as { audioSession?: { type: string } }
  if (audioSession) audioSession.type = session
}
