import type { NodeAPI } from 'node-red'
import {
  connectionToClose,
  heartbeatMs,
  type PageConnection,
} from '../../../page-server/page-connection.ts'
import { playerAddress, thisHost } from '../../../sounds/to-play/player-address.ts'
import { createBrowsers } from '../../browser/browsers.ts'
import {
  type MicrophoneProblem,
  type MicrophoneProblemMessage,
  microphoneProblems,
} from '../../browser/commands.ts'
import { notPlayedInBrowser, SpeakerError, speakerClosed } from '../../speaker-error.ts'
import { PageCommandMicrophone } from './page-command-microphone.ts'
import { PageDisplay } from './page-display.ts'
import { PageQuestionMicrophone } from './page-question-microphone.ts'

/** A tablet in power-saving mode takes a while to notice a command. */
const responseMs = 1_500
/** Longer than a tablet needs to connect again after a short loss of the network. */
const reconnectMs = 3_000
/** The browser that has been silent for longest makes room for another one. */
const maxConnections = 200
/** The page of a speaker, and the browsers that have opened it. */
export class SpeakerPage {
  readonly browsers
  readonly display = new PageDisplay((message) => this.#send(message))
  readonly commandMicrophone = new PageCommandMicrophone((message) => this.#send(message))
  readonly questionMicrophone: PageQuestionMicrophone
  /** How many drivers use it: the one of the speaker, and one that a form tests. */
  uses = 0
  /** Closes it when no driver uses it. */
  closing: NodeJS.Timeout | undefined
  /** The connections by the secret of each browser. */
  readonly #connections = new Map<string, PageConnection>()
  readonly #heartbeat: NodeJS.Timeout
  /** The browsers whose connection takes sound. */
  readonly #sounding = new Set<string>()

  /** @param path The part of its address that names it. */
  constructor(RED: NodeAPI, path: string) {
    this.browsers = createBrowsers({
      publish: (command) => {
        this.#send(command)
        return new Set(this.#connections.keys())
      },
      onReport: (player) => {
        const connection = this.#connections.get(player)
        if (connection) connection.activeAt = performance.now()
      },
      isConnected: () => this.#connections.size > 0,
      isForAll: true,
      responseMs,
      closed: () => speakerClosed(RED),
      notPlayed: () => notPlayedInBrowser(RED),
      noPlayer(isLocked) {
        const key = isLocked ? 'page-locked' : 'page-closed'
        const url = `${playerAddress(thisHost(RED)).baseUrl}/parlando/speaker/${path}`
        return new SpeakerError('NO_PLAYER', RED._(`speaker.error.${key}`, { url }))
      },
    })
    this.questionMicrophone = new PageQuestionMicrophone({
      players: () => this.#sounding,
      send: (player, message) => this.#connections.get(player)?.send(JSON.stringify(message)),
      describe: (problem) => RED._(`speaker.recording.${problem}`, { page: path }),
    })
    this.#heartbeat = setInterval(() => {
      for (const connection of this.#connections.values()) connection.beat()
    }, heartbeatMs).unref()
  }

  /**
   * @param player The secret of the browser, which its reports contain, also after it has connected again.
   * @param takesSound whether the browser can send sound over the connection.
   */
  connect(player: string, connection: PageConnection, takesSound = false): void {
    this.#disconnect(player)
    if (this.#connections.size >= maxConnections) this.#makeRoom()
    this.#connections.set(player, connection)
    for (const message of this.display.messages) this.#send(message, [connection])
    if (this.commandMicrophone.message) this.#send(this.commandMicrophone.message, [connection])
    if (takesSound) {
      this.#sounding.add(player)
      this.questionMicrophone.connected(player)
    }
    connection.onClose(() => {
      if (this.#connections.get(player) === connection) this.#remove(player)
      const leave = () => this.#connections.has(player) || this.browsers.leave(player)
      setTimeout(leave, reconnectMs).unref()
    })
  }

  /** Where the buttons of a browser act. @returns nothing for a browser that is not connected. */
  displayOf(player: string): PageDisplay | undefined {
    return this.#connections.has(player) ? this.display : undefined
  }

  /** Takes sound, or the reason why there is none. @returns false for a message that no page of ours would send. */
  takeMessage(player: string, data: Buffer, isBinary: boolean): boolean {
    if (isBinary) {
      if (data.length % 2 !== 0) return false
      // The data shares its memory with the messages before and after it.
      const pcm = Buffer.from(data)
      this.questionMicrophone.takeSound(player, pcm)
      this.commandMicrophone.takeSound(player, pcm)
      return true
    }
    const problem = readProblem(data.toString())
    if (problem) this.questionMicrophone.takeProblem(player, problem)
    return problem !== undefined
  }

  /** Disconnects all browsers. */
  close(): void {
    clearInterval(this.#heartbeat)
    void this.browsers.close()
    // Browsers that play first receive the command to stop.
    setImmediate(() => {
      for (const connection of this.#connections.values()) connection.end()
      this.#connections.clear()
      this.#sounding.clear()
    })
  }

  /** How many browsers are connected. */
  get connected(): number {
    return this.#connections.size
  }

  #send(message: object, connections: Iterable<PageConnection> = this.#connections.values()): void {
    const json = JSON.stringify(message)
    for (const connection of connections) connection.send(json)
  }

  #disconnect(player: string): void {
    this.#connections.get(player)?.end()
    this.#remove(player)
  }

  #remove(player: string): void {
    this.#connections.delete(player)
    if (this.#sounding.delete(player)) this.questionMicrophone.leave(player)
  }

  #makeRoom(): void {
    const closed = connectionToClose(this.#connections.values())
    for (const [player, connection] of this.#connections) {
      if (connection === closed) this.#disconnect(player)
    }
  }
}

function readProblem(json: string): MicrophoneProblem | undefined {
  try {
    const { type, problem } = JSON.parse(json) as MicrophoneProblemMessage
    return type === 'microphone-problem'
      ? microphoneProblems.find((one) => one === problem)
      : undefined
  } catch {
    return undefined
  }
}
