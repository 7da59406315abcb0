import { Announcer } from '../../../node-red-nodes/src/announcements/announcer.ts'
import { providePlayback } from '../../../node-red-nodes/src/announcements/playing-nodes/shared-playback.ts'
import { abortableDelay } from '../../../node-red-nodes/src/runtime/wait.ts'
import type { SoundFormat } from '../../../node-red-nodes/src/sounds/sound.ts'
import type { Driver } from '../../../node-red-nodes/src/speakers/driver.ts'
import type { Speaker, SpeakerSettings } from '../../../node-red-nodes/src/speakers/speaker.ts'
import { speakerClosed } from '../../../node-red-nodes/src/speakers/speaker-error.ts'
import { speakerTexts } from '../node-red/fake-red.ts'

/** One sound on a fake speaker. Times are those of `performance.now()`. */
export interface FakePlayback {
  text: string | undefined
  volume: number
  audio: Buffer
  startedAt: number
  endedAt?: number
  /** Whether it was heard to its end. */
  isWhole: boolean
}

export interface FakeSpeaker extends Speaker {
  played: FakePlayback[]
  /** While set, the speaker fails with this error. */
  failure: Error | undefined
  /** While set, a sound ends as soon as it is complete. */
  isInstant: boolean
}

const defaultSettings: SpeakerSettings = {
  volume: 80,
  maxVolume: 100,
  leadInMs: 0,
  leadOutMs: 0,
  voice: '',
  language: '',
}

/** A speaker that takes as long as a real one and records what it plays. */
export function createFakeSpeaker(
  id: string,
  settings: Partial<SpeakerSettings> = {},
  format: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
): FakeSpeaker {
  const played: FakePlayback[] = []
  const closing = new AbortController()
  const driver: Driver = {
    async prepare() {
      if (speaker.failure) throw speaker.failure
      return format
    },
    async play(sound, { signal: stopped, volume, text, onFirstSound }) {
      const signal = AbortSignal.any([stopped, closing.signal])
      const startedAt = performance.now()
      const playback: FakePlayback = {
        text,
        volume,
        audio: Buffer.alloc(0),
        startedAt,
        isWhole: false,
      }
      played.push(playback)
      try {
        for await (const chunk of sound.read(signal)) {
          if (playback.audio.length === 0) onFirstSound()
          playback.audio = Buffer.concat([playback.audio, chunk])
        }
        const endsAt = startedAt + (sound.durationSeconds ?? 0) * 1000
        const restMs = Math.max(endsAt - performance.now(), 0)
        if (!speaker.isInstant) await abortableDelay(restMs, signal)
        playback.isWhole = true
      } finally {
        playback.endedAt = performance.now()
      }
      return { confirmedBy: 'player' }
    },
    async close() {
      closing.abort(speakerClosed(speakerTexts.en))
    },
  }
  const speaker: FakeSpeaker = {
    id,
    name: id,
    handsOut: false,
    devices: [id],
    room: '',
    settings: { ...defaultSettings, ...settings },
    driver,
    played,
    failure: undefined,
    isInstant: false,
  }
  return speaker
}

/** Gives the nodes of this process a fake speaker. */
export function provideFakeSpeaker(speaker = createFakeSpeaker('kitchen')): void {
  providePlayback({
    announcer: new Announcer(speakerTexts.en),
    sounds: {
      publish() {
        throw new Error('A fake speaker takes no address')
      },
      find: () => undefined,
      close() {},
    },
    find: () => [speaker],
    onDeployed: () => () => {},
    notePlayed() {},
  })
}
