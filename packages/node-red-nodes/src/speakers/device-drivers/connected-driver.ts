import type { Texts } from '../../runtime/texts.ts'
import type { Sound, SoundFormat } from '../../sounds/sound.ts'
import type { Driver, Played, PlayOptions } from '../driver.ts'
import { speakerClosed } from '../speaker-error.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { Prepared } from './prepared.ts'

export interface ConnectedDriverOptions<Connection> {
  RED: Texts
  /** What the device plays. */
  format: SoundFormat
  /** Connects to the device, and finds out whether it can play. @throws {SpeakerError} or the reason of the signal. */
  connect(signal: AbortSignal): Promise<Connection>
  isOpen(connection: Connection): boolean
  close(connection: Connection): void
  /** Plays a sound, as {@link Driver} says. Its signal aborts also when the driver is closed. */
  play(connection: Connection, sound: Sound, options: PlayOptions): Promise<Played>
}

/** A driver that connects to its device once for each announcement, and plays one sound after the other. */
export function createConnectedDriver<Connection>(
  options: ConnectedDriverOptions<Connection>,
): Driver {
  const { RED, format, connect, isOpen, close, play } = options
  const playing = new OneAtATime()
  const prepared = new Prepared<Connection>(close)
  return {
    async prepare(stopped) {
      const signal = AbortSignal.any([stopped, playing.signal])
      const connection = await connect(signal)
      if (signal.aborted) close(connection)
      signal.throwIfAborted()
      prepared.keep(connection)
      return format
    },
    play: (sound, playOptions) =>
      playing.play(playOptions.signal, async (signal) => {
        const kept = prepared.take()
        const connection = kept && isOpen(kept) ? kept : await connect(signal)
        try {
          return await play(connection, sound, { ...playOptions, signal })
        } finally {
          close(connection)
        }
      }),
    async close() {
      await playing.close(speakerClosed(RED))
      prepared.close()
    },
  }
}
