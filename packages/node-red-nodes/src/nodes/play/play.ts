import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkAddressOutput } from '../../announcements/address-output.ts'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { type Playback, PlaybackRunner } from '../../announcements/playback-runner.ts'
import { type PlaybackForm, readPlayback } from '../../announcements/playback-settings.ts'
import { reasonText } from '../../announcements/playback-status.ts'
import { sharedPlayback } from '../../announcements/shared-playback.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { handleInput, type Send } from '../../runtime/input.ts'
import { leaveSequence } from '../../sounds/chunk-sequences.ts'
import { createSoundCollector } from '../../sounds/collect-sound.ts'
import { reportPlaybackStart } from '../../sounds/playback-starts.ts'
import type { Sound } from '../../sounds/sound.ts'
import { soundFor } from '../../sounds/sound-for.ts'
import { createWaitingSounds } from '../../sounds/waiting-sounds.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import { fetchSound } from './fetch-sound.ts'
import { isAddress, outerSequenceId, type PlayMessage } from './messages.ts'

interface PlayDef extends NodeDef, PlaybackForm {
  /** Absent in flows of earlier versions, which fetched every address. */
  acceptAddresses?: boolean
}

/** The output for the address of a sound, counted from 0. */
const addressPort = 1

function register(RED: NodeAPI): void {
  function Play(this: Node, config: PlayDef) {
    RED.nodes.createNode(this, config)
    const waiting = createWaitingSounds()
    const collector = createSoundCollector(RED, waiting)
    const playbacks = new PlaybackRunner(RED, this)
    /** The message that ends each sound, and leaves the node when the sound was heard. */
    const lastMessages = new WeakMap<Sound, PlayMessage>()

    const play = (
      sound: Sound,
      message: PlayMessage,
      send: Send<PlayMessage>,
      { signal, show }: Playback,
    ): Promise<AnnouncementReport> => {
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
          expiresInMs: Infinity,
          sequenceId: outerSequenceId(message),
          ...volume,
          makeSound: ({ format }, limit) => soundFor(RED, format, sound, limit),
          addressOutput: {
            check: (speaker) => checkAddressOutput(RED, this, addressPort, speaker),
            send(properties) {
              if (playbacks.closed.aborted) return
              const clone = RED.util.cloneMessage({ ...message, payload: undefined })
              send([null, Object.assign(clone, properties)])
            },
          },
        },
        {
          signal,
          // Sounds do not repeat.
          onFailure() {},
          onStateChange(state) {
            show(state, speakers)
            if (state === 'saying') reportPlaybackStart(message.parts?.id)
          },
        },
      )
    }

    const start = (
      source: Sound | string,
      message: PlayMessage,
      send: Send<PlayMessage>,
      end: () => void,
    ) => {
      let last = message
      const job = {
        sequenceId: outerSequenceId(message),
        async play(playback: Playback) {
          const fetching = new AbortController()
          const signal = AbortSignal.any([playback.signal, fetching.signal])
          let sound: Sound | undefined
          try {
            sound = typeof source === 'string' ? await fetchSound(source, signal, RED) : source
            waiting.add(sound)
            const report = await play(sound, message, send, playback)
            last = lastMessages.get(sound) ?? message
            if (report.status === 'said' || playback.signal.aborted) return report
            const reason = reasonText(RED, report)
            throw new SpeakerError('SPEAKER_REFUSED', RED._('play.error.not-played', { reason }))
          } finally {
            // Also ends the transfer of a sound that was not played.
            fetching.abort()
            if (sound) waiting.remove(sound)
          }
        },
        send({ status, durationSeconds, speakers }: AnnouncementReport) {
          if (status === 'not said') return
          leaveSequence(last)
          last.playback = { durationSeconds, speakers }
          send(last)
        },
      }
      playbacks.start(job, end)
    }

    const stop = () => {
      collector.close()
      playbacks.stop()
    }

    handleInput<PlayMessage>(this, (message, send, end) => {
      if (message.stop === true) stop()
      if (message.played === true) sharedPlayback().notePlayed(message.url)
      if (message.stop === true || message.played === true) return end()
      if (isAddress(message.payload)) {
        if (config.acceptAddresses === false) {
          throw new NodeInputError(RED._('play.error.address-not-accepted'))
        }
        return start(message.payload, message, send, end)
      }
      waiting.follow(message.parts)
      const taken = collector.take(message)
      if (taken?.isLast) lastMessages.set(taken.sound, message)
      // The first message of a sound ends with its playback, the others at once.
      if (taken?.isFirst) start(taken.sound, message, send, end)
      else end()
    })

    this.on('close', async (done: () => void) => {
      collector.close()
      await playbacks.close()
      done()
    })
  }
  RED.nodes.registerType('parlando-play', Play)
}

export = register
