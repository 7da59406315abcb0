import type { Node, NodeAPI, NodeDef } from 'node-red'
import { checkAddressOutput } from '../../announcements/address-output.ts'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { loudspeakers } from '../../announcements/loudspeakers.ts'
import { type PlaybackForm, readPlayback } from '../../announcements/playback-settings.ts'
import {
  createPlaybackStatus,
  type Progress,
  reasonText,
} from '../../announcements/playback-status.ts'
import { type Failure, toFailure } from '../../shared/failure.ts'
import { handleInput, type Send } from '../../shared/input.ts'
import { createSoundCollector } from '../../sounds/collect-sound.ts'
import { leaveSequence } from '../../sounds/leave-sequence.ts'
import type { Sound } from '../../sounds/sound.ts'
import { soundFor } from '../../sounds/sound-for.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import { fetchSound } from './fetch-sound.ts'
import { isAddress, type PlayMessage } from './messages.ts'

interface PlayDef extends NodeDef, PlaybackForm {}

const addressPort = 1

/** A sound that has not ended. */
interface Playback extends Progress {
  controller: AbortController
  ended: Promise<void>
}

function register(RED: NodeAPI): void {
  function Play(this: Node, config: PlayDef) {
    RED.nodes.createNode(this, config)
    const collector = createSoundCollector(RED)
    /** The message that ends each sound, and leaves the node when the sound was heard. */
    const lastMessages = new WeakMap<Sound, PlayMessage>()
    const running = new Set<Playback>()
    const status = createPlaybackStatus(RED, this, running)
    let isClosed = false

    const play = async (
      sound: Sound,
      message: PlayMessage,
      send: Send<PlayMessage>,
      playback: Playback,
    ): Promise<AnnouncementReport> => {
      const { speakerNames, ...volume } = readPlayback(RED, config, message)
      const { announcer, find } = loudspeakers()
      const speakers = find(speakerNames)
      return announcer.announce(
        {
          id: RED.util.generateId(),
          speakers,
          priority: 'normal',
          text: '',
          expiresInMs: Infinity,
          ...volume,
          hasChime: false,
          makeSound: ({ format }, signal) => soundFor(format, sound, signal),
          addressOutput: {
            check: (speaker) => checkAddressOutput(RED, this, addressPort, speaker),
            send(properties) {
              if (isClosed) return
              const clone = RED.util.cloneMessage({ ...message, payload: undefined })
              send([null, Object.assign(clone, properties)])
            },
          },
        },
        {
          signal: playback.controller.signal,
          onStateChange(state) {
            playback.state = state
            // Only now is known where the default loudspeaker plays.
            playback.where = speakers.map(({ name }) => name).join(', ')
            status.changed()
          },
        },
      )
    }

    const run = async (
      sound: Sound | string,
      message: PlayMessage,
      send: Send<PlayMessage>,
      playback: Playback,
    ): Promise<Failure | undefined> => {
      const { signal } = playback.controller
      status.changed()
      try {
        const opened = typeof sound === 'string' ? await fetchSound(sound, signal, RED) : sound
        const report = await play(opened, message, send, playback)
        if (report.status === 'not said' && !signal.aborted) {
          const reason = reasonText(RED, report)
          throw new SpeakerError('SPEAKER_REFUSED', RED._('play.error.not-played', { reason }))
        }
        running.delete(playback)
        status.ended(report)
        if (signal.aborted) return undefined
        const { durationSeconds, speakers } = report
        const last = lastMessages.get(opened) ?? message
        leaveSequence(last)
        last.playback = { durationSeconds, speakers }
        send(last)
        return undefined
      } catch (error) {
        running.delete(playback)
        if (signal.aborted) {
          status.changed()
          return undefined
        }
        status.failed(error)
        return toFailure(error)
      } finally {
        // Also ends the transfer of a sound that was not played.
        playback.controller.abort()
      }
    }

    const stop = () => {
      collector.close()
      for (const { controller } of running) controller.abort()
    }

    handleInput<PlayMessage>(this, (message, send, end) => {
      const start = (sound: Sound | string) => {
        const ended = Promise.resolve()
        const controller = new AbortController()
        const playback: Playback = { controller, state: 'starting', where: '', ended }
        running.add(playback)
        playback.ended = run(sound, message, send, playback).then(end)
      }
      if (message.stop === true) stop()
      if (message.played === true) loudspeakers().notePlayed(message.url)
      if (message.stop === true || message.played === true) return end()
      if (isAddress(message.payload)) return start(message.payload)
      const taken = collector.take(message)
      if (taken?.isLast) lastMessages.set(taken.sound, message)
      // The first message of a sound ends with its playback, the others at once.
      if (taken?.isFirst) start(taken.sound)
      else end()
    })

    this.on('close', async (done: () => void) => {
      isClosed = true
      // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
      status.close()
      const ends = [...running].map(({ ended }) => ended)
      stop()
      await Promise.all(ends)
      status.close()
      done()
    })
  }
  RED.nodes.registerType('parlando-play', Play)
}

export = register
