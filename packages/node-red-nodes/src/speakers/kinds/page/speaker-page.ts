import type { NodeAPI } from 'node-red'
import {
  connectionToClose,
  heartbeatMs,
  type PageConnection,
} from '../../../page-server/page-connection.ts'
import { playerAddress, thisHost } from '../../../sounds/player-address.ts'
import { createBrowsers } from '../../browser/browsers.ts'
import type { ShownAlarm } from '../../driver.ts'
import { notPlayedInBrowser, SpeakerError, speakerClosed } from '../../speaker-error.ts'

/** A tablet in power-saving mode takes a while to notice a command. */
const responseMs = 1_500
/** Longer than a tablet needs to connect again after a short loss of the network. */
const reconnectMs = 3_000
/** The browser that has been silent for longest makes room for another one. */
const maxConnections = 200

/** The page of a speaker, and the browsers that have opened it. */
export class SpeakerPage {
  readonly browsers
  /** How many drivers use it: the one of the speaker, and one that a form tests. */
  uses = 0
  /** Closes it when no driver uses it. */
  closing: NodeJS.Timeout | undefined
  /** By the secret of each browser. */
  readonly #connections = new Map<string, PageConnection>()
  readonly #heartbeat: NodeJS.Timeout
  #alarms: readonly ShownAlarm[] = []
  #acknowledge = (_id: string) => {}

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
    this.#heartbeat = setInterval(() => {
      for (const connection of this.#connections.values()) connection.beat()
    }, heartbeatMs).unref()
  }

  /** @param player The secret of the browser, which its reports contain, also after it has connected again. */
  connect(player: string, connection: PageConnection): void {
    this.#disconnect(player)
    if (this.#connections.size >= maxConnections) this.#makeRoom()
    this.#connections.set(player, connection)
    if (this.#alarms.length > 0) this.#send(this.#alarmsMessage, [connection])
    connection.onClose(() => {
      if (this.#connections.get(player) === connection) this.#connections.delete(player)
      const leave = () => this.#connections.has(player) || this.browsers.leave(player)
      setTimeout(leave, reconnectMs).unref()
    })
  }

  /** Shows the alarms that somebody must acknowledge in all browsers, also in those that connect later. */
  showAlarms(alarms: readonly ShownAlarm[], acknowledge: (id: string) => void): void {
    this.#alarms = alarms
    this.#acknowledge = acknowledge
    this.#send(this.#alarmsMessage)
  }

  /** A browser acknowledges an alarm. @returns whether it is connected and shows this alarm. */
  acknowledge(player: string, id: string): boolean {
    const isShown = this.#alarms.some((alarm) => alarm.id === id)
    if (!this.#connections.has(player) || !isShown) return false
    this.#acknowledge(id)
    return true
  }

  /** Disconnects all browsers. */
  close(): void {
    clearInterval(this.#heartbeat)
    void this.browsers.close()
    // Browsers that play first receive the command to stop.
    setImmediate(() => {
      for (const connection of this.#connections.values()) connection.end()
    })
  }

  get #alarmsMessage(): object {
    return { type: 'alarms', alarms: this.#alarms }
  }

  #send(message: object, connections: Iterable<PageConnection> = this.#connections.values()): void {
    const json = JSON.stringify(message)
    for (const connection of connections) connection.send(json)
  }

  #disconnect(player: string): void {
    this.#connections.get(player)?.end()
    this.#connections.delete(player)
  }

  #makeRoom(): void {
    const closed = connectionToClose(this.#connections.values())
    for (const [player, connection] of this.#connections) {
      if (connection === closed) this.#disconnect(player)
    }
  }
}
