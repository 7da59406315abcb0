import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type {
  AnnouncementReport,
  AnnounceOptions,
  StandIn,
  WantedSound,
} from '../../announcements/announcement.ts'
import { type Playback, PlaybackRunner } from '../../announcements/playback-runner.ts'
import { sharedPlayback } from '../../announcements/shared-playback.ts'
import { createAddressOutput } from '../../announcements/sound-address-output.ts'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import { describeFailure, type Failure, reportFailure, toFailure } from '../../runtime/failure.ts'
import { findService, leaveThisDevice, requireService } from '../../runtime/find-service.ts'
import { handleClose, handleInput, type Send } from '../../runtime/input.ts'
import { readSpeechText } from '../../runtime/speech-request.ts'
import { createAlarmStore } from './alarm-store.ts'
import { createSpeechMaker } from './announcement-speech.ts'
import { createKnownTopics, takeControls } from './controls.ts'
import { createKeptAlarms, type KeptAlarms } from './kept-alarms.ts'
import { reportOf, sendOutcome } from './outcome.ts'
import {
  type AnnounceMessage,
  type AnnounceSettings,
  readAnnouncement,
  readTopic,
  sequenceIdOf,
} from './read-announcement.ts'
import type { SpeechOptions } from './speech-job.ts'

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

  const afterDeploy = new AfterDeploy(RED)
  const topics = createKnownTopics()

  function Announce(this: Node, config: AnnounceDef) {
    RED.nodes.createNode(this, config)
    const playbacks = new PlaybackRunner(RED, this)
    const alarms = createKeptAlarms(store, this.id)
    const announce = createAnnounce(RED, this, { config, alarms, closed: playbacks.closed })
    findService(RED, this, config.service)?.startAhead()

    afterDeploy.follow(this, () => {
      for (const message of alarms.restoredMessages()) this.receive(message)
    })

    handleInput<AnnounceMessage>(this, (message, send, end) => {
      if (takeControls(RED, this, message, { playbacks, topics })) return end()
      const topic = readTopic(message)
      topics.add(topic)
      const job = {
        topic,
        sequenceId: sequenceIdOf(message),
        play: (playback: Playback) => announce(message, send, playback),
        send: (report: AnnouncementReport, warning?: string) =>
          sendOutcome(send, message, report, warning),
        failed(failure: Failure) {
          sendOutcome(send, message, reportOf(config, message, 'failed', failure))
        },
        closed: (report = reportOf(config, message, 'deploy')) => {
          if (alarms.keeps(message)) return
          const isSaid = report.status === 'said'
          const outcome = isSaid ? report : { ...report, reason: 'deploy' as const }
          afterDeploy.add(this, (node) => sendOutcome((out) => node.send(out), message, outcome))
        },
      }
      playbacks.start(job, end)
    })

    handleClose(this, async (isRemoved) => {
      await playbacks.close()
      afterDeploy.leave(this, isRemoved)
      if (isRemoved) alarms.removeAll()
      await store.flush()
      await leaveThisDevice(this)
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
    { signal, show, showFailure, warn }: Playback,
  ): Promise<AnnouncementReport> => {
    // Before the text and the speakers, which may be right.
    requireService(RED, node, config.service)
    const settings = readAnnouncement(RED, config, message)
    const { speakerNames, repeat, ...policy } = settings
    const text =
      alarms.restoredText(message) ??
      (await readSpeechText({ RED, node, message, signal: closed }, config))
    // A part of a sequence may have nothing to say.
    if (text === '') return reportOf(config, message, 'no text')

    const { announcer, find } = sharedPlayback()
    const speakers = find(speakerNames)
    const alarm = alarms.keep(message, text, settings)
    let standIn: StandIn | undefined
    const speech: SpeechOptions = {
      text,
      message,
      onRetry: () => show('retrying', speakers),
      onWarning: warn,
      onStandIn(voiceId, error) {
        standIn = { voiceId, error: describeFailure(toFailure(error)) }
      },
    }
    const announcement = {
      ...policy,
      id: RED.util.generateId(),
      sequenceId: sequenceIdOf(message),
      speakers,
      findSpeakers: () => find(speakerNames),
      text,
      ...(repeat && { repeat: { ...repeat, timesBefore: alarm?.timesBefore ?? 0 } }),
      makeSound: (wanted: WantedSound, limit: AbortSignal) => makeSpeech(speech, wanted, limit),
      addressOutput: createAddressOutput(RED, { node, port: addressPort, message, send, closed }),
    }
    const options: AnnounceOptions = {
      signal,
      onStateChange(state, where) {
        show(state, where)
        if (state === 'saying') alarm?.noteSaid()
      },
      onFailure(error) {
        showFailure(error)
        reportFailure(node, error, message)
      },
    }
    const report = await announcer.announce(announcement, options).finally(() => {
      // A deploy or a restart does not end an alarm.
      if (!closed.aborted) alarm?.remove()
    })
    return report.status === 'said' && standIn ? { ...report, standIn } : report
  }
}

export = register
