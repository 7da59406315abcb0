import type { Node, NodeAPI } from 'node-red'
import type { PlaybackReport } from '../../announcements/playback-report.ts'
import type { Playback, PlaybackJob } from '../../announcements/playing-nodes/playback-runner.ts'
import { reasonText } from '../../announcements/playing-nodes/playback-status.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { type PlaybackForm, readPlayback } from '../../playback/playback-settings.ts'
import { reportPlaybackStart } from '../../playback/playback-starts.ts'
import { createAddressOutput } from '../../playback/sound-address-output.ts'
import type { AfterDeploy } from '../../runtime/after-deploy.ts'
import { reportFailure } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import { leaveSequence, type SoundMessage } from '../../sounds/chunk-sequences.ts'
import type { Sound } from '../../sounds/sound.ts'
import type { WaitingSounds } from '../../sounds/to-play/waiting-sounds.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import { fetchSound } from './fetch-sound.ts'
import { soundFor } from './sound-for.ts'

export interface PlayMessage extends SoundMessage {
  /** Names or rooms of speakers. */
  speakers?: unknown
  volume?: unknown
  stop?: unknown
  /** Another node has played the sound at `msg.url`. */
  played?: unknown
  url?: unknown
  playback?: Pick<PlaybackReport, 'durationSeconds' | 'speakers'>
}

/** The sequence that the sound of a message is a part of, such as an answer of which it is a sentence. */
function outerSequenceId({ parts }: PlayMessage): string | undefined {
  const outer = (parts as { parts?: { id?: unknown } } | undefined)?.parts
  return typeof outer?.id === 'string' ? outer.id : undefined
}

export function isAddress(payload: unknown): payload is string {
  return typeof payload === 'string' && /^\s*https?:\/\//i.test(payload) && URL.canParse(payload)
}

export interface PlayContext {
  RED: NodeAPI
  node: Node
  config: PlaybackForm
  waiting: WaitingSounds
  afterDeploy: AfterDeploy
  /** Aborted when the node is closed. */
  closed: AbortSignal
  /** The message that ends each sound, and leaves the node when the sound was heard. */
  lastMessages: WeakMap<Sound, PlayMessage>
}

/** The output for the address of a sound, counted from 0. */
const addressPort = 1

/**
 * Makes the job that plays a sound.
 * @param source The sound, or its address.
 */
export function createPlayJob(
  context: PlayContext,
  source: Sound | string,
  message: PlayMessage,
  send: Send<PlayMessage>,
): PlaybackJob {
  const { RED, node, waiting, afterDeploy, lastMessages } = context
  let last = message
  const errorFor = (report: Pick<PlaybackReport, 'reason'>) => {
    const reason = reasonText(RED, report)
    return new SpeakerError('SPEAKER_REFUSED', RED._('play.error.not-played', { reason }))
  }
  const sendHeard = (
    { durationSeconds, speakers }: PlaybackReport,
    out: (message: PlayMessage) => void,
  ) => {
    leaveSequence(last)
    last.playback = { durationSeconds, speakers }
    out(last)
  }
  return {
    sequenceId: outerSequenceId(message),
    async play(playback) {
      const fetching = new AbortController()
      const signal = AbortSignal.any([playback.signal, fetching.signal])
      let sound: Sound | undefined
      try {
        sound = typeof source === 'string' ? await fetchSound(source, signal, RED) : source
        waiting.add(sound)
        const report = await play(context, { sound, message, send, playback })
        last = lastMessages.get(sound) ?? message
        if (report.status === 'said' || playback.signal.aborted) return report
        throw errorFor(report)
      } finally {
        // This also ends the transfer of a sound that was not played.
        fetching.abort()
        if (sound) waiting.remove(sound)
      }
    },
    send(report) {
      if (report.status === 'said') sendHeard(report, send)
    },
    closed(report) {
      afterDeploy.add(node, (again) => {
        if (report?.status === 'said') sendHeard(report, (out) => again.send(out))
        else reportFailure(again, errorFor({ reason: 'deploy' }), message)
      })
    },
  }
}

interface PlayRequest {
  sound: Sound
  message: PlayMessage
  send: Send<PlayMessage>
  playback: Playback
}

/** Plays a sound after those that wait for the same speakers. */
function play(
  { RED, node, config, closed }: PlayContext,
  { sound, message, send, playback }: PlayRequest,
): Promise<PlaybackReport> {
  const { signal, show } = playback
  const { speakerNames, ...volume } = readPlayback(RED, config, message)
  const { announcer, find } = sharedPlayback()
  const speakers = find(speakerNames)
  return announcer.announce(
    {
      id: RED.util.generateId(),
      speakers,
      findSpeakers: () => find(speakerNames),
      priority: 'normal',
      text: '',
      isMusic: true,
      expiresInMs: Infinity,
      sequenceId: outerSequenceId(message),
      ...volume,
      makeSound: ({ format }, limit) => soundFor(RED, format, sound, limit),
      addressOutput: createAddressOutput<PlayMessage>(RED, {
        node,
        port: addressPort,
        message: { ...message, payload: undefined },
        send,
        closed,
      }),
    },
    {
      signal,
      // Sounds do not repeat.
      onFailure() {},
      onStateChange(state, where) {
        show(state, where)
        if (state === 'saying') reportPlaybackStart(message.parts?.id, where)
      },
    },
  )
}
