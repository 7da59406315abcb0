import type { WebSocket } from 'ws'
import { connectionToClose, type PageConnection } from '../../page-server/make-room.ts'
import { bytesPerSecond, type Recording } from '../recording.ts'
import { createAllowance } from './allowance.ts'
import {
  type PageSettings,
  readPageMessage,
  type ServerMessage,
  type TextRole,
} from './page-messages.ts'

/** The browsers that have opened the page of a microphone. One of them records at a time. */
export interface MicrophonePage {
  /** @param address The remote address. */
  connect(socket: WebSocket, address: string): void
  /** Ends the current recording. */
  stop(): void
  /** Shows a text on the pages. */
  show(role: TextRole, text: string): void
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
  /** How long a browser may record while others want to. Then the next one may record in its place. Default: 5 minutes. */
  maxTurnMs?: number
}

export interface PageState {
  /** How many browsers are connected. */
  connected: number
  isRecording: boolean
}

/** The browser that has been silent for longest makes room for another one. */
const maxConnections = 50
/** Responses that a browser does not read. */
const maxUnsentBytes = 64 * 1024
/** Twice as fast as sound is recorded, and ten seconds of it after a pause of the network. */
const rate = { perSecond: 2 * bytesPerSecond, burst: 10 * bytesPerSecond }
/** Between two recordings of one turn. */
const maxBetweenMs = 5000
/** A text counts like this number of bytes, so that nobody can send texts without end. */
const minMessageBytes = 100
/** Of a text on the pages. */
const maxTextCharacters = 2000
const closeMs = 1000

/** Status codes of WebSocket. */
const closing = { tooFast: 1008, unexpectedData: 1003, restart: 1012, tooMany: 1013 }

export function createMicrophonePage(options: MicrophonePageOptions): MicrophonePage {
  const { settings, onRecording, onChange, maxPauseMs = 5000, heartbeatMs = 15_000 } = options
  const { maxTurnMs = 300_000 } = options
  const sockets = new Map<WebSocket, PageConnection>()
  const responding = new WeakSet<WebSocket>()
  let current: { socket: WebSocket; recording: Recording; pause: NodeJS.Timeout } | undefined
  /** The recordings of one browser that follow each other closely. */
  let turn: { socket: WebSocket; startedAt: number; endedAt: number } | undefined

  const changed = () => onChange({ connected: sockets.size, isRecording: current !== undefined })

  const end = (isInterrupted: boolean) => {
    if (!current) return
    const { recording, pause } = current
    clearTimeout(pause)
    current = undefined
    if (turn) turn.endedAt = performance.now()
    recording.end(isInterrupted)
    changed()
  }
  const stop = (isInterrupted = false) => {
    if (current) send(current.socket, { type: 'stop' })
    end(isInterrupted)
  }
  const start = (socket: WebSocket) => {
    if (current?.socket === socket) return
    const now = performance.now()
    if (current && turn && now - turn.startedAt <= maxTurnMs) return send(socket, { type: 'busy' })
    stop(true)
    const isSameTurn = turn?.socket === socket && now - turn.endedAt <= maxBetweenMs
    if (!isSameTurn) turn = { socket, startedAt: now, endedAt: now }
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
    sockets.get(socket)!.activeAt = performance.now()
    const message = readPageMessage(data.toString())
    if (message?.type === 'start') start(socket)
    else if (message && isOwn) end(false)
  }
  const leave = (socket: WebSocket) => {
    sockets.delete(socket)
    if (current?.socket === socket) end(true)
    changed()
  }

  const makeRoom = () => {
    const others = [...sockets].filter(([socket]) => socket !== current?.socket)
    const closed = connectionToClose(
      others.map(([socket, connection]) => ({ ...connection, socket })),
    )
    if (!closed) return
    disconnect(closed.socket, closing.tooMany)
    leave(closed.socket)
  }

  const beat = () => {
    for (const socket of sockets.keys()) {
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
    connect(socket, address) {
      const isAllowed = createAllowance(rate)
      if (sockets.size >= maxConnections) makeRoom()
      sockets.set(socket, { address, activeAt: performance.now() })
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
    show(role, text) {
      const shown = text.slice(0, maxTextCharacters)
      for (const socket of sockets.keys()) send(socket, { type: 'show', role, text: shown })
    },
    close() {
      clearInterval(heartbeat)
      stop()
      for (const socket of sockets.keys()) disconnect(socket, closing.restart)
    },
  }
}

function send(socket: WebSocket, message: ServerMessage): void {
  socket.send(JSON.stringify(message))
  if (socket.bufferedAmount > maxUnsentBytes) socket.terminate()
}

function disconnect(socket: WebSocket, code: number): void {
  socket.close(code)
  // A browser that sleeps does not respond.
  setTimeout(() => socket.terminate(), closeMs).unref()
}
