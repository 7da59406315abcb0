import type { Node, NodeAPI } from 'node-red'
import type {
  Announcement,
  AnnouncementReport,
  AnnounceOptions,
} from '../../announcements/announcement.ts'
import type { StandIn } from '../../announcements/playback-report.ts'
import type { Playback, PlaybackRunner } from '../../announcements/playing-nodes/playback-runner.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import type { SpeechOptions } from '../../announcements/speech/speech-job.ts'
import { createSpeechMaker } from '../../announcements/speech/speech-maker.ts'
import type { WantedSound } from '../../playback/play-on-speakers.ts'
import { createAddressOutput } from '../../playback/sound-address-output.ts'
import {
  describeFailure,
  type Failure,
  passToCatch,
  reportFailure,
  toFailure,
} from '../../runtime/failure.ts'
import { requireService } from '../../runtime/find-service.ts'
import type { Send } from '../../runtime/input.ts'
import { readTopic } from '../../runtime/settings.ts'
import { readSpeechText } from '../../runtime/speech/speech-text.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { createRecogniser } from './announcement-recogniser.ts'
import type { KeptAlarm, KeptAlarms } from './kept-alarms.ts'
import { reportOf, sendOutcome } from './outcome.ts'
import {
  type AnnounceMessage,
  type AnnouncementSettings,
  type AnnounceSettings,
  readAnnouncement,
  sequenceIdOf,
} from './read-announcement.ts'

/** The settings of the form. */
export interface AnnounceForm extends AnnounceSettings {
  service: string
}

/** The output for the address of a sound, counted from 0. */
const addressPort = 2

interface AnnounceContext {
  config: AnnounceForm
  alarms: KeptAlarms
  playbacks: PlaybackRunner
}

/** What all announcements of a node share. */
interface AnnounceTools {
  RED: NodeAPI
  node: Node
  makeSpeech: ReturnType<typeof createSpeechMaker>
  recogniser: ReturnType<typeof createRecogniser>
  closed: AbortSignal
}

/** Creates the function that announces the text of a message and resolves with what became of it. */
export function createAnnounce(
  RED: NodeAPI,
  node: Node,
  { config, alarms, playbacks }: AnnounceContext,
) {
  const { closed } = playbacks
  const makeSpeech = createSpeechMaker(RED, node, config)
  const recogniser = createRecogniser(RED, node, config)
  const tools = { RED, node, makeSpeech, recogniser, closed }

  const announce = async ({
    message,
    send,
    playback,
    requestedAt,
  }: AnnounceJob): Promise<AnnouncementReport> => {
    // The service is checked before the text and the speakers, which may be right.
    requireService(RED, node, config.service)
    const settings = readAnnouncement(RED, config, message)
    const text =
      alarms.restoredText(message) ??
      (await readSpeechText({ RED, node, message, signal: closed }, config))
    // A part of a sequence may have nothing to say.
    if (text === '') return reportOf(config, message, 'no text')

    const speakers = sharedPlayback().find(settings.speakerNames)
    const alarm = alarms.keep(message, text, settings)
    const againAt = requestedAt ?? alarm?.againAt
    if (requestedAt !== undefined) alarm?.noteWantedAgain(requestedAt)
    const wanted = { message, send, playback, settings, text, speakers, alarm, againAt }
    const { announcement, standIn } = announcementOf(tools, wanted)
    // The nodes behind this one may change the message that it sends.
    const original = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(message))
    const onAgain = (requestedAt: number) =>
      sayAgain(tools, { original, requestedAt, config, playbacks, announce })
    const options = announceOptions({ node, message, playback, alarm, onAgain })
    const { announcer } = sharedPlayback()
    const report = await announcer.announce(announcement, options).finally(() => {
      // A deploy or a restart does not end an alarm.
      if (!closed.aborted) alarm?.remove()
    })
    const spokenBy = standIn()
    return report.status === 'said' && spokenBy ? { ...report, standIn: spokenBy } : report
  }
  return announce
}

/** A text to announce. */
interface AnnounceJob {
  message: AnnounceMessage
  send: Send<AnnounceMessage>
  playback: Playback
  /** When somebody wants to hear it again, in ms since 1970. */
  requestedAt?: number
}

interface WantedAnnouncement extends Omit<AnnounceJob, 'requestedAt'> {
  settings: AnnouncementSettings
  text: string
  speakers: readonly Speaker[]
  alarm: KeptAlarm | undefined
  /** When it is said, if that is later, in ms since 1970. */
  againAt: number | undefined
}

/** Makes an announcement of a text. `standIn` is the voice of this device that has spoken it, once it is over. */
function announcementOf(
  { RED, node, makeSpeech, recogniser, closed }: AnnounceTools,
  { message, send, playback, settings, text, speakers, alarm, againAt }: WantedAnnouncement,
): { announcement: Announcement; standIn(): StandIn | undefined } {
  const { speakerNames, repeat, ...policy } = settings
  let standIn: StandIn | undefined
  const speech: SpeechOptions = {
    text,
    message,
    isAlarm: policy.priority === 'alarm',
    onRetry: () => playback.show('retrying', speakers),
    onWarning: playback.warn,
    onStandIn(voiceId, error) {
      standIn = { voiceId, error: describeFailure(toFailure(error)) }
    },
  }
  const announcement = {
    ...policy,
    id: RED.util.generateId(),
    sequenceId: sequenceIdOf(message),
    speakers,
    findSpeakers: () => sharedPlayback().find(speakerNames),
    text,
    ...(repeat && { repeat: { ...repeat, timesBefore: alarm?.timesBefore ?? 0 } }),
    ...(againAt !== undefined && { againAt }),
    recogniser,
    makeSound: (wanted: WantedSound, limit: AbortSignal) => makeSpeech(speech, wanted, limit),
    addressOutput: createAddressOutput(RED, { node, port: addressPort, message, send, closed }),
  }
  return { announcement, standIn: () => standIn }
}

interface SaidAgain extends Pick<AnnounceContext, 'config' | 'playbacks'> {
  /** The message as it arrived. */
  original: AnnounceMessage
  /** When somebody wants to hear it again, in ms since 1970. */
  requestedAt: number
  announce(job: AnnounceJob): Promise<AnnouncementReport>
}

/** Says an announcement once more, although its message has left the node. It leaves again if that fails. */
function sayAgain(
  { RED, node, closed }: AnnounceTools,
  { original, requestedAt, config, playbacks, announce }: SaidAgain,
): void {
  if (closed.aborted) return
  const message = RED.util.cloneMessage(original)
  const send: Send<AnnounceMessage> = (out) => node.send(out)
  const job = {
    topic: readTopic(message),
    sequenceId: undefined,
    play: (playback: Playback) => announce({ message, send, playback, requestedAt }),
    send(report: AnnouncementReport) {
      if (report.status === 'not said') sendOutcome(send, message, report)
    },
    failed(failure: Failure) {
      sendOutcome(send, message, reportOf(config, message, 'failed', failure))
    },
  }
  playbacks.start(job, (failure) => failure && passToCatch(node, failure, message))
}

interface AnnouncedMessage {
  node: Node
  message: AnnounceMessage
  playback: Playback
  alarm: KeptAlarm | undefined
  onAgain(againAt: number): void
}

/** Shows, keeps and reports what becomes of an announcement before its end. */
function announceOptions({
  node,
  message,
  playback,
  alarm,
  onAgain,
}: AnnouncedMessage): AnnounceOptions {
  return {
    signal: playback.signal,
    onStateChange(state, where) {
      playback.show(state, where)
      if (state === 'saying') alarm?.noteSaid()
    },
    onPostponed: (againAt) => alarm?.notePostponed(againAt),
    onAgain,
    onFailure(error) {
      playback.showFailure(error)
      reportFailure(node, error, message)
    },
  }
}
