import type { WebSocket } from 'ws'
import { bytesPerSecond, type Recording } from '../recording.ts'
import { createAllowance } from './allowance.ts'
import { type PageSettings, readPageMessage, type ServerMessage } from './messages.ts'

/** The browsers that have opened the page of a microphone. One of them records at a time. */
export interface MicrophonePage {
  /** Whether no more browsers may connect. */
  readonly isFull: boolean
  connect(socket: WebSocket): void
  /** Ends the current recording. */
  stop(): void
  /** Disconnects all browsers. */
  close(): void
}

export interface MicrophonePageOptions {
  settings: PageSettings
  /** Called when somebody begins to talk. */
  onRecording(): Recording
  onChange(state: PageState): void
  /** How long a recording browser may send nothing, as one that went to sleep. Default: 5 s. */
  maxPauseMs?: number
  /** Proxies close a connection that is silent for a minute. Default: 15 s. */
  heartbeatMs?: number
}

export interface PageState {
  /** How many browsers are connected. */
  connected: number
  isRecording: boolean
}

const maxConnections = 50
/** Twice as fast as sound is recorded, and ten seconds of it after a pause of the network. */
const rate = { perSecond: 2 * bytesPerSecond, burst: 10 * bytesPerSecond }
/** A text counts like this number of bytes, so that nobody can send texts without end. */
const minMessageBytes = 100
const closeMs = 1000

/** Status codes of WebSocket. */
const closing = { tooFast: 1008, unexpectedData: 1003, restart: 1012 }

export function createMicrophonePage(options: MicrophonePageOptions): MicrophonePage {
  const { settings, onRecording, onChange, maxPauseMs = 5000, heartbeatMs = 15_000 } = options
  const sockets = new Set<WebSocket>()
  const responding = new WeakSet<WebSocket>()
  let current: { socket: WebSocket; recording: Recording; pause: NodeJS.Timeout } | undefined

  const changed = () => onChange({ connected: sockets.size, isRecording: current !== undefined })

  const end = (isInterrupted: boolean) => {
    if (!current) return
    const { recording, pause } = current
    clearTimeout(pause)
    current = undefined
    recording.end(isInterrupted)
    changed()
  }
  const stop = (isInterrupted = false) => {
    if (current) send(current.socket, { type: 'stop' })
    end(isInterrupted)
  }
  const start = (socket: WebSocket) => {
    if (current?.socket === socket) return
    if (current) return send(socket, { type: 'busy' })
    const pause = setTimeout(stop, maxPauseMs, true)
    current = { socket, recording: onRecording(), pause }
    changed()
  }
  const handle = (socket: WebSocket, data: Buffer, isBinary: boolean) => {
    const isOwn = current?.socket === socket
    if (isBinary && data.length % 2 !== 0) return disconnect(socket, closing.unexpectedData)
    if (isBinary && isOwn) {
      current!.pause.refresh()
      // The data shares its memory with the messages before and after it.
      current!.recording.push(Buffer.from(data))
    }
    if (isBinary) return
    const message = readPageMessage(data.toString())
    if (message?.type === 'start') start(socket)
    else if (message && isOwn) end(false)
  }
  const leave = (socket: WebSocket) => {
    sockets.delete(socket)
    if (current?.socket === socket) end(true)
    changed()
  }

  const beat = () => {
    for (const socket of sockets) {
      if (!responding.delete(socket)) {
        socket.terminate()
        continue
      }
      socket.ping()
      send(socket, { type: 'alive' })
    }
  }
  const heartbeat = setInterval(beat, heartbeatMs).unref()

  return {
    get isFull() {
      return sockets.size >= maxConnections
    },
    connect(socket) {
      const isAllowed = createAllowance(rate)
      sockets.add(socket)
      responding.add(socket)
      socket.on('pong', () => responding.add(socket))
      // Its close follows.
      socket.on('error', () => {})
      socket.on('close', () => leave(socket))
      socket.on('message', (data: Buffer, isBinary) => {
        if (!isAllowed(Math.max(data.length, minMessageBytes))) {
          disconnect(socket, closing.tooFast)
          leave(socket)
        } else if (sockets.has(socket)) handle(socket, data, isBinary)
      })
      send(socket, { type: 'ready', settings })
      changed()
    },
    stop: () => stop(),
    close() {
      clearInterval(heartbeat)
      stop()
      for (const socket of sockets) disconnect(socket, closing.restart)
    },
  }
}

function send(socket: WebSocket, message: ServerMessage): void {
  socket.send(JSON.stringify(message))
}

function disconnect(socket: WebSocket, code: number): void {
  socket.close(code)
  // A browser that sleeps does not respond.
  setTimeout(() => socket.terminate(), closeMs).unref()
}
