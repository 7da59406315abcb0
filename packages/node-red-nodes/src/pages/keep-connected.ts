import { bytesPerSecond } from '../microphones/microphone-recording.ts'

/** Why a page has no connection. */
export type ConnectionProblem =
  /** Node-RED knows no page with this name. */
  | 'gone'
  /** A proxy hides the address of the page. */
  | 'proxy'
  /** Node-RED does not know whether the name in the address is its own. */
  | 'unknownName'

const problems: Readonly<Record<number, ConnectionProblem>> = {
  403: 'proxy',
  404: 'gone',
  421: 'unknownName',
}

/** Requests the token that opens one connection: the password of a page only protects requests. */
async function requestToken(
  path: string,
): Promise<{ token: string } | { problem: ConnectionProblem | undefined }> {
  const response = await fetch(`${path}/token`, { method: 'POST' })
  if (!response.ok) return { problem: problems[response.status] }
  return (await response.json()) as { token: string }
}

/** The address of a WebSocket of the page. */
export function socketAddress(path: string, query: Record<string, string>): string {
  return `${location.origin.replace(/^http/, 'ws')}${path}/socket?${new URLSearchParams(query)}`
}

/** Ten seconds of sound. A network that is behind by more will not catch up. */
export const maxUnsentBytes = 10 * bytesPerSecond

/** The server sends a sign of life every 15 seconds. A tablet that slept may not notice that its connection is gone. */
const maxSilenceMs = 40_000
const checkMs = 2000

export interface KeptConnection {
  /** The server has sent something. */
  noteMessage(): void
  /** Closes the connection if there is one; it is opened again. */
  lose(problem?: ConnectionProblem): void
}

/**
 * Keeps a page connected, also after a restart of Node-RED.
 * @param path The path of the page.
 * @param open Opens a connection with a token. @returns a function that closes it.
 */
export function keepConnected(
  path: string,
  open: (token: string) => () => void,
  onLost: (problem?: ConnectionProblem) => void,
): KeptConnection {
  let close: (() => void) | undefined
  let isConnecting = false
  let lastAt = 0

  const lose = (problem?: ConnectionProblem) => {
    close?.()
    close = undefined
    onLost(problem)
  }
  const connect = async () => {
    const response = await requestToken(path)
    if ('problem' in response) return lose(response.problem)
    lastAt = Date.now()
    close = open(response.token)
  }
  const check = async () => {
    if (isConnecting || (close && Date.now() - lastAt < maxSilenceMs)) return
    isConnecting = true
    if (close) lose()
    await connect().catch(() => lose())
    isConnecting = false
  }
  void check()
  setInterval(check, checkMs)
  document.addEventListener('visibilitychange', check)
  return {
    lose,
    noteMessage() {
      lastAt = Date.now()
    },
  }
}
