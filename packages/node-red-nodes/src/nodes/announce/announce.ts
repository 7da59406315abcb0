import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkAddressOutput } from '../../announcements/address-output.ts'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { loudspeakers } from '../../announcements/loudspeakers.ts'
import { createPlaybackStatus, type Progress } from '../../announcements/playback-status.ts'
import { type Failure, toFailure } from '../../shared/failure.ts'
import { handleInput, type Send } from '../../shared/input.ts'
import { requireService } from '../../shared/require-service.ts'
import { readSpeechText } from '../../shared/speech-request.ts'
import { findService, leaveThisDevice } from '../../shared/speech-service.ts'
import { createAlarmStore } from './alarm-store.ts'
import { createKeptAlarms } from './kept-alarms.ts'
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

const addressPort = 2

/** A message whose announcement has not ended. */
interface Running extends Progress {
  topic: string | undefined
  controller: AbortController
  ended: Promise<void>
}

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
    const makeSpeech = createSpeechMaker(RED, this, config)
    const running = new Set<Running>()
    const status = createPlaybackStatus(RED, this, running)
    const closing = new AbortController()
    findService(RED, this, config.service)?.startAhead()

    const alarms = createKeptAlarms(store, this.id)
    const restore = () => {
      for (const message of alarms.restoredMessages()) this.receive(message)
    }
    // Only then are the nodes behind this one ready.
    onceStarted.add(restore)

    const announce = async (
      message: AnnounceMessage,
      send: Send<AnnounceMessage>,
      own: Running,
    ): Promise<AnnouncementReport> => {
      // Before the text and the loudspeakers, which may be right.
      requireService(RED, this, config.service)
      const settings = readAnnouncement(RED, config, message)
      const { speakerNames, repeat, ...policy } = settings
      const id = RED.util.generateId()
      const text =
        alarms.restoredText(message) ??
        (await readSpeechText(RED, this, config, message, closing.signal))
      // A part of a sequence may have nothing to say.
      if (text === '') {
        const { priority } = policy
        return { id, status: 'not said', reason: 'no text', priority, times: 0, speakers: [] }
      }
      const { announcer, find } = loudspeakers()
      const speakers = find(speakerNames)
      const alarm = alarms.keep(message, text, settings)
      const enter = (state: Progress['state']) => {
        own.state = state
        // Only now is known where the default loudspeaker plays.
        own.where = speakers.map(({ name }) => name).join(', ')
        if (state === 'retrying') status.retrying()
        else status.changed()
        if (state === 'saying') alarm?.noteSaid()
      }
      const speech = { text, message, onRetry: () => enter('retrying') }
      const report = announcer.announce(
        {
          ...policy,
          id,
          speakers,
          text,
          ...(repeat && { repeat: { ...repeat, timesBefore: alarm?.timesBefore ?? 0 } }),
          makeSound: (wanted, signal) => makeSpeech(speech, wanted, signal),
          addressOutput: {
            check: (speaker) => checkAddressOutput(RED, this, addressPort, speaker),
            send(properties) {
              if (closing.signal.aborted) return
              send([null, null, Object.assign(RED.util.cloneMessage(message), properties)])
            },
          },
        },
        { signal: own.controller.signal, onStateChange: enter },
      )
      return report.finally(() => {
        if (!closing.signal.aborted) alarm?.remove()
      })
    }

    const run = async (
      message: AnnounceMessage,
      send: Send<AnnounceMessage>,
      own: Running,
    ): Promise<Failure | undefined> => {
      status.changed()
      try {
        const report = await announce(message, send, own)
        running.delete(own)
        if (closing.signal.aborted) return undefined
        message.announcement = report
        status.ended(report)
        send(report.status === 'said' ? [message, null] : [null, message])
        return undefined
      } catch (error) {
        running.delete(own)
        if (closing.signal.aborted) return undefined
        status.failed(error)
        return toFailure(error)
      }
    }

    const stop = (topic?: string) => {
      for (const own of running) {
        if (topic === undefined || topic === own.topic) own.controller.abort()
      }
    }

    handleInput<AnnounceMessage>(this, (message, send, end) => {
      const topic = readTopic(message)
      if (message.stop === true) stop(topic)
      if (message.acknowledge === true) loudspeakers().announcer.acknowledge(topic)
      if (message.played === true) loudspeakers().notePlayed(message.url)
      if ([message.stop, message.acknowledge, message.played].includes(true)) return end()
      const controller = new AbortController()
      const ended = Promise.resolve()
      const own: Running = { topic, controller, state: 'starting', where: '', ended }
      running.add(own)
      own.ended = run(message, send, own).then(end)
    })

    this.on('close', async (isRemoved: boolean, done: () => void) => {
      closing.abort()
      onceStarted.delete(restore)
      // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
      status.close()
      const ends = [...running].map(({ ended }) => ended)
      stop()
      await Promise.all(ends)
      if (isRemoved) alarms.removeAll()
      await store.flush()
      await leaveThisDevice(this)
      status.close()
      done()
    })
  }
  RED.nodes.registerType('parlando-announce', Announce)
}

export = register
