/** Keeps the screen on where the browser can: over https, and on the machine itself. */
export function keepAwake(): void {
  const request = () => {
    if (document.visibilityState === 'visible')
      navigator.wakeLock?.request('screen').catch(() => {})
  }
  request()
  // The lock ends when the page is hidden.
  document.addEventListener('visibilitychange', request)
}
