/** Keeps the screen on and the sound audible, where the browser can. */
export function keepAwake(): void {
  const request = () => {
    if (document.visibilityState === 'visible')
      // Only over https, and on the machine itself.
      navigator.wakeLock?.request('screen').catch(() => {})
  }
  request()
  // The lock ends when the page is hidden.
  document.addEventListener('visibilitychange', request)

  // Safari 17 and later: an iPhone plays sounds of a page also while its switch is on silent.
  const { audioSession } = navigator as { audioSession?: { type: string } }
  if (audioSession) audioSession.type = 'playback'
}
