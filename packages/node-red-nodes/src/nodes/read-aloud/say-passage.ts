import type { Node, NodeAPI } from 'node-red'
import type { AnnouncementReport, AnnouncementState } from '../../announcements/announcement.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { createSpeechMaker, type MakeSpeech } from '../../announcements/speech/speech-maker.ts'
import { createAddressOutput } from '../../playback/sound-address-output.ts'
import { requireService } from '../../runtime/find-service.ts'
import type { SpeechMessage } from '../../runtime/speech/speech-request.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { PassageClock, passageAt, passageSound } from './passage.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import { type ReadAloudSettings, readSaying } from './read-aloud-settings.ts'
import type { ReadAloudText } from './reading.ts'
import { SentencesAhead } from './sentences-ahead.ts'

/** The output for the address of a sound, counted from 0. */
const addressPort = 2

export interface SayOptions {
  RED: NodeAPI
  node: Node
  config: ReadAloudSettings
  /** Aborted when the node is closed. */
  closed: AbortSignal
  onStateChange(state: AnnouncementState, speakers: readonly Speaker[]): void
  onRetry(): void
  /** A sentence of the passage is heard. */
  onSentence(reading: ReadAloudText, index: number): void
}

/** Says the passages of texts on the speakers of a node, through the queue of all announcements. */
export function createSayer(options: SayOptions) {
  const { RED, node, config, onRetry } = options
  // Another voice would read the rest of a book.
  const makeSpeech = createSpeechMaker(RED, node, { ...config, standIn: 'none' })
  const ahead = new WeakMap<ReadAloudText, SentencesAhead>()

  const aheadOf = (reading: ReadAloudText) => {
    const known = ahead.get(reading) ?? openAhead(reading, makeSpeech, onRetry)
    ahead.set(reading, known)
    return known
  }

  return {
    /** Says the sentences from the current one on. @throws why they could not be said. */
    async say(reading: ReadAloudText, signal: AbortSignal): Promise<SaidPassage> {
      requireService(RED, node, config.service)
      return sayPassage(options, reading, aheadOf(reading), signal)
    },
    /** Ends the speech that is made ahead for a text. */
    forget(reading: ReadAloudText) {
      ahead.get(reading)?.close()
      ahead.delete(reading)
    },
    speakersOf: (reading: ReadAloudText) => speakersOf(RED, config, reading),
  }
}

/** Says the sentences of a text from the current one on, as one announcement. */
async function sayPassage(
  options: SayOptions,
  reading: ReadAloudText,
  ahead: SentencesAhead,
  signal: AbortSignal,
): Promise<SaidPassage> {
  const { RED, node, config, closed, onStateChange, onSentence } = options
  const { id, index, message, sentences, send } = reading
  const { speakerNames, ...saying } = readSaying(RED, config, message)
  const { announcer, find } = sharedPlayback()
  const passage = passageAt(sentences, index)
  const clock = new PassageClock(passage, (next) => onSentence(reading, next))
  const stopClock = () => clock.stop()
  signal.addEventListener('abort', stopClock, { once: true })
  const announcement = {
    ...saying,
    id: RED.util.generateId(),
    // It does not expire, and no other one takes its place.
    sequenceId: id,
    // The reader goes on with the sentence that was cut, not with the first one of the passage.
    endsWhenCut: true,
    text: sentences[index]!,
    speakers: find(speakerNames),
    findSpeakers: () => find(speakerNames),
    makeSound: (wanted, limit) =>
      passageSound(passage, {
        wanted,
        signal: limit,
        soundOf: (at) => ahead.soundOf(at, wanted, limit),
        onBegin: (at, seconds) => clock.noteBegin(at, seconds),
      }),
    onHeard: ({ settings: { leadInMs } }) => clock.noteHeard(leadInMs),
    addressOutput: createAddressOutput(RED, {
      node,
      port: addressPort,
      // The player is stopped after the text has ended, which adds its report to the message.
      message: { ...message },
      send,
      closed,
    }),
  } satisfies Parameters<typeof announcer.announce>[0]
  // A passage is not repeated.
  const watched = { signal, onStateChange, onFailure() {} }
  const report = await announcer.announce(announcement, watched).finally(stopClock)
  return { report, to: passage.to }
}

/** The speakers of a text. @returns none if one of them does not exist. */
function speakersOf(
  RED: NodeAPI,
  config: ReadAloudSettings,
  { message }: ReadAloudText,
): readonly Speaker[] {
  try {
    return sharedPlayback().find(readSaying(RED, config, message).speakerNames)
  } catch {
    return []
  }
}

/** Makes the speech of the sentences of a text. */
function openAhead(
  { id, sentences, message }: ReadAloudText,
  makeSpeech: MakeSpeech,
  onRetry: () => void,
): SentencesAhead {
  const spoken = spokenMessage(message)
  return new SentencesAhead(sentences.length, (index, wanted, { signal, isAhead }) => {
    const options = {
      text: sentences[index]!,
      message: spoken,
      isAlarm: false,
      textId: id,
      onRetry: isAhead ? () => {} : onRetry,
      onWarning() {},
      onStandIn() {},
    }
    return makeSpeech(options, wanted, signal)
  })
}

/** What became of a passage. */
export interface SaidPassage {
  report: AnnouncementReport
  /** The sentence after its last one. */
  to: number
}

export type Sayer = ReturnType<typeof createSayer>

/**
 * What the speech of each sentence needs of the message. A book would drive everything else out of the sound that is kept, so its
 * sentences are kept only if the message wants that.
 */
function spokenMessage({ _msgid, keep, ...message }: ReadAloudMessage): SpeechMessage {
  const { voiceId, modelId, audioConfig, speechOptions } = message
  return { _msgid, voiceId, modelId, audioConfig, speechOptions, keep: keep === true }
}
