import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { loudspeakers } from '../../announcements/loudspeakers.ts'
import { createPlaybackStatus, type Progress } from '../../announcements/playback-status.ts'
import { type Failure, toFailure } from '../../shared/failure.ts'
import { handleInput, type Send } from '../../shared/input.ts'
import { readSpeechText } from '../../shared/speech-request.ts'
import { findService, leaveThisDevice } from '../../shared/speech-service.ts'
import { createAlarmStore, type SavedAlarm, savableMessage } from './alarm-store.ts'
import {
  type AnnounceMessage,
  type AnnouncementSettings,
  type AnnounceSettings,
  readAnnouncement,
  readTopic,
} from './request.ts'
import { createSpeechMaker } from './speech.ts'

interface AnnounceDef extends NodeDef, AnnounceSettings {
  service: string
}

/** A message whose announcement has not ended. */
interface Running extends Progress {
  topic: string | undefined
  controller: AbortController
  ended: Promise<void>
}

function register(RED: NodeAPI): void {
  const userFolder = RED.settings.userDir ?? '.'
  const alarms = createAlarmStore(join(userFolder, 'parlando', 'alarms.json'), ({ message }) =>
    RED.log.warn(RED._('announce.error.alarms-not-saved', { reason: message })),
  )

  function Announce(this: Node, config: AnnounceDef) {
    RED.nodes.createNode(this, config)
    const makeSpeech = createSpeechMaker(RED, this, config)
    const running = new Set<Running>()
    const status = createPlaybackStatus(RED, this, running)
    const closing = new AbortController()
    findService(RED, this, config.service)?.startAhead()

    /** Alarms of the time before a restart or a deploy, by the id of the message that announces them again. */
    const restored = new Map(alarms.of(this.id).map((alarm) => [alarm.id, alarm]))
    const restore = () => {
      for (const { id, message } of restored.values()) this.receive({ ...message, _msgid: id })
    }
    // Only then are the nodes behind this one ready.
    RED.events.once('flows:started', restore)

    /** The record of an alarm that is kept until somebody acknowledges it; nothing for another announcement. */
    const recordOf = (
      message: AnnounceMessage,
      text: string,
      { priority, repeat }: AnnouncementSettings,
    ): SavedAlarm | undefined => {
      if (priority !== 'alarm' || !repeat?.untilAcknowledged) return undefined
      const known = restored.get(message._msgid)
      if (known) return known
      const id = RED.util.generateId()
      return { id, nodeId: this.id, message: savableMessage({ ...message }, text), text, times: 0 }
    }

    const announce = async (
      message: AnnounceMessage,
      send: Send<AnnounceMessage>,
      own: Running,
    ): Promise<AnnouncementReport> => {
      const settings = readAnnouncement(RED, config, message)
      const { speakerNames, repeat, ...policy } = settings
      const id = RED.util.generateId()
      const text =
        restored.get(message._msgid)?.text ??
        (await readSpeechText(RED, this, config, message, closing.signal))
      // A part of a sequence may have nothing to say.
      if (text === '') {
        const { priority } = policy
        return { id, status: 'not said', reason: 'no text', priority, times: 0, speakers: [] }
      }
      const { announcer, find } = loudspeakers()
      const speakers = find(speakerNames)
      const alarm = recordOf(message, text, settings)
      const enter = (state: Progress['state']) => {
        own.state = state
        // Only now is known where the default loudspeaker plays.
        own.where = speakers.map(({ name }) => name).join(', ')
        if (state === 'retrying') status.retrying()
        else status.changed()
        if (!alarm || state !== 'saying') return
        alarm.times += 1
        alarms.save(alarm)
      }
      const speech = { text, message, onRetry: () => enter('retrying') }
      const report = announcer.announce(
        {
          ...policy,
          id,
          speakers,
          text,
          ...(repeat && { repeat: { ...repeat, timesBefore: alarm?.times ?? 0 } }),
          makeSound: (wanted, signal) => makeSpeech(speech, wanted, signal),
          handOut(properties) {
            if (closing.signal.aborted) return
            send([null, null, Object.assign(RED.util.cloneMessage(message), properties)])
          },
        },
        { signal: own.controller.signal, onStateChange: enter },
      )
      if (alarm) alarms.save(alarm)
      return report.finally(() => {
        if (!closing.signal.aborted) alarms.remove(alarm?.id ?? message._msgid)
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
      RED.events.off('flows:started', restore)
      // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
      status.close()
      const ends = [...running].map(({ ended }) => ended)
      stop()
      await Promise.all(ends)
      if (isRemoved) for (const { id } of alarms.of(this.id)) alarms.remove(id)
      await alarms.flush()
      await leaveThisDevice(this)
      status.close()
      done()
    })
  }
  RED.nodes.registerType('parlando-announce', Announce)
}

export = register
