import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkAddressOutput } from '../../announcements/address-output.ts'
import type { AnnouncementReport, WantedSound } from '../../announcements/announcement.ts'
import { loudspeakers } from '../../announcements/loudspeakers.ts'
import { createPlaybackRunner, type Playback } from '../../announcements/playback-runner.ts'
import { handleInput, type Send } from '../../shared/input.ts'
import { requireService } from '../../shared/require-service.ts'
import { readSpeechText } from '../../shared/speech-request.ts'
import { findService, leaveThisDevice } from '../../shared/speech-service.ts'
import { createAlarmStore } from './alarm-store.ts'
import { createKeptAlarms, type KeptAlarms } from './kept-alarms.ts'
import {
  type AnnounceMessage,
  type AnnounceSettings,
  readAnnouncement,
  readTopic,
} from './request.ts'
import { createSpeechMaker } from './speech.ts'

interface AnnounceDef extends NodeDef, AnnounceSettings {
  service: string
}

/** The output for the address of a sound, counted from 0. */
const addressPort = 2

function register(RED: NodeAPI): void {
  const userFolder = RED.settings.userDir ?? '.'
  const store = createAlarmStore(join(userFolder, 'parlando', 'alarms.json'), ({ message }) =>
    RED.log.warn(RED._('announce.error.alarms-not-saved', { reason: message })),
  )

  // One listener for all nodes: Node warns of a leak from eleven on.
  const onceStarted = new Set<() => void>()
  RED.events.on('flows:started', () => {
    for (const restore of onceStarted) restore()
    onceStarted.clear()
  })

  function Announce(this: Node, config: AnnounceDef) {
    RED.nodes.createNode(this, config)
    const playbacks = createPlaybackRunner(RED, this)
    const alarms = createKeptAlarms(store, this.id)
    const announce = createAnnounce(RED, this, { config, alarms, closed: playbacks.closed })
    findService(RED, this, config.service)?.startAhead()

    const restore = () => {
      for (const message of alarms.restoredMessages()) this.receive(message)
    }
    // Only then are the nodes behind this one ready.
    onceStarted.add(restore)

    handleInput<AnnounceMessage>(this, (message, send, end) => {
      const topic = readTopic(message)
      if (message.stop === true) playbacks.stop(topic)
      if (message.acknowledge === true) loudspeakers().announcer.acknowledge(topic)
      if (message.played === true) loudspeakers().notePlayed(message.url)
      if ([message.stop, message.acknowledge, message.played].includes(true)) return end()
      const job = {
        topic,
        play: (playback: Playback) => announce(message, send, playback),
        send(report: AnnouncementReport) {
          message.announcement = report
          send(report.status === 'said' ? [message, null] : [null, message])
        },
      }
      playbacks.start(job, end)
    })

    this.on('close', async (isRemoved: boolean, done: () => void) => {
      onceStarted.delete(restore)
      await playbacks.close()
      if (isRemoved) alarms.removeAll()
      await store.flush()
      await leaveThisDevice(this)
      done()
    })
  }
  RED.nodes.registerType('parlando-announce', Announce)
}

interface AnnounceContext {
  config: AnnounceDef
  alarms: KeptAlarms
  /** Aborted when the node is closed. */
  closed: AbortSignal
}

/** Creates the function that announces the text of a message and resolves with what became of it. */
function createAnnounce(RED: NodeAPI, node: Node, { config, alarms, closed }: AnnounceContext) {
  const makeSpeech = createSpeechMaker(RED, node, config)

  return async (
    message: AnnounceMessage,
    send: Send<AnnounceMessage>,
    { signal, show }: Playback,
  ): Promise<AnnouncementReport> => {
    // Before the text and the loudspeakers, which may be right.
    requireService(RED, node, config.service)
    const settings = readAnnouncement(RED, config, message)
    const { speakerNames, repeat, ...policy } = settings
    const id = RED.util.generateId()
    const text =
      alarms.restoredText(message) ?? (await readSpeechText(RED, node, config, message, closed))
    // A part of a sequence may have nothing to say.
    if (text === '') {
      const { priority } = policy
      return { id, status: 'not said', reason: 'no text', priority, times: 0, speakers: [] }
    }

    const { announcer, find } = loudspeakers()
    const speakers = find(speakerNames)
    const alarm = alarms.keep(message, text, settings)
    const speech = { text, message, onRetry: () => show('retrying', speakers) }
    const announcement = {
      ...policy,
      id,
      speakers,
      findSpeakers: () => find(speakerNames),
      text,
      ...(repeat && { repeat: { ...repeat, timesBefore: alarm?.timesBefore ?? 0 } }),
      makeSound: (wanted: WantedSound, limit: AbortSignal) => makeSpeech(speech, wanted, limit),
      addressOutput: {
        check: (speaker: string) => checkAddressOutput(RED, node, addressPort, speaker),
        send(properties: object) {
          if (closed.aborted) return
          send([null, null, Object.assign(RED.util.cloneMessage(message), properties)])
        },
      },
    }
    const onStateChange = (state: 'waiting' | 'saying') => {
      show(state, speakers)
      if (state === 'saying') alarm?.noteSaid()
    }
    return announcer.announce(announcement, { signal, onStateChange }).finally(() => {
      // A deploy or a restart does not end an alarm.
      if (!closed.aborted) alarm?.remove()
    })
  }
}

export = register
