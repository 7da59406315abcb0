import { firstCharacters } from '@parlando/core/text'
import type { WebSocket } from 'ws'
import {
  connectionToClose,
  connectSocket,
  heartbeatMs,
  type PageConnection,
} from '../../page-server/page-connection.ts'
import { reasonOf } from '../../runtime/failure.ts'
import type { RecordingReceiver } from '../microphone-recording.ts'
import type { WakeWordListener, WakeWordListenerOptions } from '../wake-word/wake-word-listener.ts'
import {
  type PageSettings,
  readPageMessage,
  type ServerMessage,
  type TextRole,
} from './page-messages.ts'
import { createAllowance, minMessageBytes, soundRate } from './sound-allowance.ts'

export interface MicrophonePageOptions {
  settings: PageSettings
  /** Called when somebody begins to talk. @param message the message of the flow that has started the recording, if one has. */
  onRecording(message?: object): RecordingReceiver
  onChange(state: PageState): void
  /** Called when a browser wants to wait for a wake word. Default: no browser can. */
  onWait?(reports: WakeWordReports): WakeWordListener
  /** How long a recording browser may send nothing, as one that went to sleep. Default: 5 s. */
  maxPauseMs?: number
  /** Default: 15 s. */
  heartbeatMs?: number
  /** How long a browser may record while others want to. Then the next one may record in its place. Default: 5 minutes. */
  maxTurnMs?: number
}

/** Receives what happens to the sound of a browser that waits for a wake word. */
export type WakeWordReports = Pick<WakeWordListenerOptions, 'onWaiting' | 'onWake' | 'onProblem'>

export interface PageState {
  /** How many browsers are connected. */
  connected: number
  isRecording: boolean
  /** Whether a browser waits for the wake word. */
  isWaiting: boolean
}

/** The browser that has been silent for longest makes room for another one. */
const maxConnections = 50
/** The longest time between two recordings of one turn. */
const maxBetweenMs = 5000
/** A text on the pages has at most this many characters. */
const maxTextCharacters = 2000

/** Status codes of WebSocket. */
const closing = { tooFast: 1008, unexpectedData: 1003, tooMany: 1013 }

/** The browsers that have opened the page of a microphone. One of them records at a time. */
export class MicrophonePage {
  readonly #options: Required<Omit<MicrophonePageOptions, 'onWait'>> & MicrophonePageOptions
  readonly #connections = new Set<PageConnection>()
  /** The listeners of the browsers that wait for the wake word, also while they record. */
  readonly #wakeWordListeners = new Map<PageConnection, WakeWordListener>()
  /** What waits for no wake word any more, until it is closed. */
  readonly #closing = new Set<Promise<void>>()
  readonly #heartbeat: NodeJS.Timeout
  #current:
    | { connection: PageConnection; recording: RecordingReceiver; pause: NodeJS.Timeout }
    | undefined
  /** The recordings of one browser that follow each other closely. */
  #turn: { connection: PageConnection; startedAt: number; endedAt: number } | undefined

  constructor(options: MicrophonePageOptions) {
    this.#options = { maxPauseMs: 5000, heartbeatMs, maxTurnMs: 300_000, ...options }
    this.#heartbeat = setInterval(() => {
      for (const connection of this.#connections) connection.beat()
    }, this.#options.heartbeatMs).unref()
  }

  /** @param address The remote address. */
  connect(socket: WebSocket, address: string): void {
    const isAllowed = createAllowance(soundRate)
    if (this.#connections.size >= maxConnections) this.#makeRoom()
    const connection = connectSocket(socket, address)
    this.#connections.add(connection)
    connection.onClose(() => this.#leave(connection))
    socket.on('message', (data: Buffer, isBinary) => {
      if (!this.#connections.has(connection)) return
      const isTooMuch = !isAllowed(Math.max(data.length, minMessageBytes))
      if (isTooMuch) this.#disconnect(connection, closing.tooFast)
      else if (isBinary) this.#takeSound(connection, data)
      else this.#takeMessage(connection, data.toString())
    })
    send(connection, { type: 'ready', settings: this.#options.settings })
    this.#changed()
  }

  /**
   * Lets a browser that waits for the wake word record without it: of several, the one that has recorded last.
   * @param message of the flow.
   * @returns whether a browser records.
   */
  wake(message: object): boolean {
    if (this.#current) return true
    const last = this.#turn?.connection
    const waiting = [...this.#wakeWordListeners.keys()]
    const connection = waiting.find((one) => one === last) ?? waiting[0]
    if (connection) this.#wake(connection, Buffer.alloc(0), message)
    return connection !== undefined
  }

  /** Ends the current recording. */
  stop(isInterrupted = false): void {
    if (this.#current) send(this.#current.connection, { type: 'stop' })
    this.#end(isInterrupted)
  }

  /** Shows a text on the pages. */
  show(role: TextRole, text: string): void {
    const message = { type: 'show', role, text: firstCharacters(text, maxTextCharacters) } as const
    for (const connection of this.#connections) send(connection, message)
  }

  /** How many browsers are connected. */
  get connected(): number {
    return this.#connections.size
  }

  /** Disconnects all browsers. Resolves when the service waits for no wake word any more. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    this.stop()
    for (const connection of this.#connections) {
      this.#stopWaiting(connection)
      connection.end()
    }
    // They may still send something until they are closed.
    this.#connections.clear()
    await Promise.all(this.#closing)
  }

  #takeSound(connection: PageConnection, data: Buffer) {
    if (data.length % 2 !== 0) return this.#disconnect(connection, closing.unexpectedData)
    // The data shares its memory with the messages before and after it.
    const pcm = Buffer.from(data)
    if (this.#current?.connection !== connection)
      return this.#wakeWordListeners.get(connection)?.push(pcm)
    this.#current.pause.refresh()
    this.#current.recording.push(pcm)
  }

  #takeMessage(connection: PageConnection, json: string): void {
    connection.activeAt = performance.now()
    const message = readPageMessage(json)
    if (message?.type === 'start') this.#start(connection)
    else if (message?.type === 'wait') this.#wait(connection)
    else if (message) {
      if (this.#current?.connection === connection) this.#end(false)
      this.#stopWaiting(connection)
    }
  }

  #wait(connection: PageConnection): void {
    if (this.#current?.connection === connection) this.#end(false)
    const { onWait } = this.#options
    if (!onWait) return
    // After a recording, the service still waits.
    const isWaiting = this.#wakeWordListeners.has(connection)
    if (isWaiting) return
    const listener = onWait({
      onWaiting: (phrases) => send(connection, { type: 'waiting', phrases }),
      onWake: (since) => this.#wake(connection, since),
      onProblem: (error) =>
        send(connection, { type: 'wake-word-problem', reason: reasonOf(error) }),
    })
    this.#wakeWordListeners.set(connection, listener)
    this.#changed()
  }

  #wake(connection: PageConnection, since: Buffer, message?: object): void {
    const isAwake = this.#current?.connection === connection
    if (isAwake || !this.#wakeWordListeners.has(connection)) return
    this.#start(connection, message)
    if (this.#current?.connection !== connection) return
    send(connection, { type: 'awake' })
    if (since.length > 0) this.#current.recording.push(since)
  }

  #stopWaiting(connection: PageConnection): void {
    const listener = this.#wakeWordListeners.get(connection)
    if (!listener) return
    this.#wakeWordListeners.delete(connection)
    const closed = listener.close().finally(() => this.#closing.delete(closed))
    // If it fails, `close` reports that as long as it waits for it. The browser is gone, so nobody else needs to know.
    closed.catch(() => {})
    this.#closing.add(closed)
    this.#changed()
  }

  #start(connection: PageConnection, message?: object) {
    if (this.#current?.connection === connection) return
    const { maxPauseMs, maxTurnMs, onRecording } = this.#options
    const now = performance.now()
    const mayContinue = this.#turn && now - this.#turn.startedAt <= maxTurnMs
    if (this.#current && mayContinue) return send(connection, { type: 'busy' })
    this.stop(true)
    const isSameTurn =
      this.#turn?.connection === connection && now - this.#turn.endedAt <= maxBetweenMs
    if (!isSameTurn) this.#turn = { connection, startedAt: now, endedAt: now }
    const recording = onRecording(message)
    const pause = setTimeout(() => this.stop(true), maxPauseMs)
    this.#current = { connection, recording, pause }
    this.#changed()
  }

  #end(isInterrupted: boolean): void {
    if (!this.#current) return
    const { recording, pause } = this.#current
    clearTimeout(pause)
    this.#current = undefined
    if (this.#turn) this.#turn.endedAt = performance.now()
    recording.end(isInterrupted)
    this.#changed()
  }

  #makeRoom(): void {
    const others = [...this.#connections].filter((one) => one !== this.#current?.connection)
    const closed = connectionToClose(others)
    if (closed) this.#disconnect(closed, closing.tooMany)
  }

  #disconnect(connection: PageConnection, code: number): void {
    connection.end(code)
    this.#leave(connection)
  }

  #leave(connection: PageConnection): void {
    if (!this.#connections.delete(connection)) return
    this.#stopWaiting(connection)
    if (this.#current?.connection === connection) this.#end(true)
    this.#changed()
  }

  #changed(): void {
    const isRecording = this.#current !== undefined
    const isWaiting = this.#wakeWordListeners.size > 0
    this.#options.onChange({ connected: this.#connections.size, isRecording, isWaiting })
  }
}

function send(connection: PageConnection, message: ServerMessage): void {
  connection.send(JSON.stringify(message))
}
