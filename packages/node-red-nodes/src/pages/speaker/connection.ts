import type { BrowserCommand } from '../../speakers/browser/commands.ts'

/** The server sends a sign of life every 15 seconds. A tablet that slept may not notice that its connection is gone. */
const maxSilenceMs = 40_000
const checkMs = 2000

/** Receives the commands of the server, also after a restart of Node-RED. */
export function receiveCommands(
  address: string,
  onCommand: (command: BrowserCommand) => void,
  onConnected: (isConnected: boolean) => void,
): void {
  let events: EventSource
  let lastAt: number
  const open = () => {
    lastAt = Date.now()
    events = new EventSource(address)
    events.onopen = () => onConnected(true)
    events.onerror = () => onConnected(false)
    events.onmessage = ({ data }) => onCommand(JSON.parse(data))
    events.addEventListener('alive', () => {
      lastAt = Date.now()
    })
  }
  const check = () => {
    // After a response with an error, the browser itself gives up.
    const isClosed = events.readyState === EventSource.CLOSED
    if (!isClosed && Date.now() - lastAt < maxSilenceMs) return
    events.close()
    onConnected(false)
    open()
  }
  open()
  setInterval(check, checkMs)
  document.addEventListener('visibilitychange', check)
}
