import type { NodeAPI } from 'node-red'
import { connectionToClose } from '../../page-server/make-room.ts'
import { playerAddress, thisHost } from '../../sounds/player-address.ts'
import { type Browsers, createBrowsers } from '../browser/browsers.ts'
import type { Driver, ShownAlarm } from '../driver.ts'
import { SpeakerError, speakerClosed } from '../speaker-error.ts'
import type { SpeakerConnection } from './connection.ts'

/** A tablet in power-saving mode takes a while to notice a command. */
const responseMs = 1_500
/** Longer than a tablet needs to connect again after a short loss of the network. */
const reconnectMs = 3_000
/** Proxies close a connection that is silent for a minute. A page that receives none connects again. */
const heartbeatMs = 15_000
/** The browser that has been silent for longest makes room for another one. */
const maxConnections = 200

/** The page of a speaker. */
export interface SpeakerPage {
  browsers: Browsers
  /** @param player The secret of the browser, which its reports contain, also after it has connected again. */
  connect(player: string, connection: SpeakerConnection): void
  /** Shows the alarms that somebody must acknowledge in all browsers, also in those that connect later. */
  showAlarms: NonNullable<Driver['showAlarms']>
  /** A browser acknowledges an alarm. @returns whether it is connected and shows this alarm. */
  acknowledge(player: string, id: string): boolean
  /** Disconnects all browsers. */
  close(): void
  /** How many drivers use it: the one of the speaker, and one that a form tests. */
  uses: number
  /** Closes it when no driver uses it. */
  closing?: NodeJS.Timeout
}

/** The address of a page as people in the local network type it. */
function pageAddress(RED: NodeAPI, path: string): string {
  return `${playerAddress(thisHost(RED)).baseUrl}/parlando/speaker/${path}`
}

export function createSpeakerPage(RED: NodeAPI, path: string): SpeakerPage {
  const connections = new Map<string, SpeakerConnection>()
  let alarms: readonly ShownAlarm[] = []
  let onAcknowledged = (_id: string) => {}
  const alarmsMessage = () => JSON.stringify({ type: 'alarms', alarms })
  const browsers = createBrowsers({
    publish(command) {
      const json = JSON.stringify(command)
      for (const connection of connections.values()) connection.send(json)
      return new Set(connections.keys())
    },
    onReport(player) {
      const connection = connections.get(player)
      if (connection) connection.activeAt = performance.now()
    },
    isConnected: () => connections.size > 0,
    isForAll: true,
    responseMs,
    closed: () => speakerClosed(RED),
    notPlayed: () =>
      new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.not-played-in-browser')),
    noPlayer(isLocked) {
      const key = isLocked ? 'page-locked' : 'page-closed'
      const url = pageAddress(RED, path)
      return new SpeakerError('NO_PLAYER', RED._(`speaker.error.${key}`, { url }))
    },
  })
  const disconnect = (player: string) => {
    connections.get(player)?.end()
    connections.delete(player)
  }
  const makeRoom = () => {
    const closed = connectionToClose(connections.values())
    for (const [player, connection] of connections) if (connection === closed) disconnect(player)
  }
  const beat = () => {
    for (const connection of connections.values()) connection.beat()
  }
  const heartbeat = setInterval(beat, heartbeatMs).unref()

  return {
    browsers,
    connect(player, connection) {
      disconnect(player)
      if (connections.size >= maxConnections) makeRoom()
      connections.set(player, connection)
      if (alarms.length > 0) connection.send(alarmsMessage())
      connection.onClose(() => {
        if (connections.get(player) === connection) connections.delete(player)
        const leave = () => connections.has(player) || browsers.leave(player)
        setTimeout(leave, reconnectMs).unref()
      })
    },
    showAlarms(shown, acknowledge) {
      alarms = shown
      onAcknowledged = acknowledge
      for (const connection of connections.values()) connection.send(alarmsMessage())
    },
    acknowledge(player, id) {
      if (!connections.has(player) || !alarms.some((alarm) => alarm.id === id)) return false
      onAcknowledged(id)
      return true
    },
    close() {
      clearInterval(heartbeat)
      void browsers.close()
      // Browsers that play first receive the command to stop.
      setImmediate(() => {
        for (const connection of connections.values()) connection.end()
      })
    },
    uses: 0,
  }
}
