import { setTimeout as delay } from 'node:timers/promises'
import { Decoding } from '../playback/decoding.ts'
import { PcmPlayer } from '../playback/pcm-player.ts'
import frames from './frames.json' with { type: 'json' }

/** What a stand-in player does with an announcement. */
export type Behaviour =
  /** Music Assistant stops its music, plays the announcement, and starts the music again. */
  | 'plays'
  /** The device pauses its music by itself, and its call ends with the sound. */
  | 'announces'
  /** The device only takes the announcement: its call ends at once. */
  | 'takes'
  | 'rejects'
  | 'hangs'
  | 'unavailable'

const format = { rateHertz: 44_100, channels: 2 }
/** A source that does not begin. */
const readyLimitMs = 30_000
/** Music Assistant waits this much longer than the sound lasts, or until the player is idle. */
const marginMs = { min: 2_000, max: 10_000 }

export interface PlayerOptions {
  /** The sound server on which it plays. */
  environment: NodeJS.ProcessEnv
  /** Ends an announcement as soon as the player is silent; a real Music Assistant waits for the length of the sound. */
  isQuick?: boolean
  onChange(): void
}

interface Playing {
  source: Decoding
  isMusic: boolean
}

/** A player of the stand-in, which plays for real. */
export class MusicAssistantPlayer {
  readonly id: string
  volume = 80
  isAway: boolean
  readonly #behaviour: Behaviour
  readonly #player: PcmPlayer
  readonly #options: PlayerOptions
  #playing: Playing | undefined
  #music: Decoding | undefined
  /** One announcement after the other. */
  #lock: Promise<void> = Promise.resolve()

  constructor(id: string, behaviour: Behaviour, options: PlayerOptions) {
    this.id = id
    this.#behaviour = behaviour
    this.isAway = behaviour === 'unavailable'
    this.#player = new PcmPlayer(options.environment, format.rateHertz, format.channels)
    this.#options = options
  }

  /** What a sound leaves as it was. */
  get lasting(): object {
    return { volume: this.volume, music: this.#playing?.isMusic }
  }

  /** As Music Assistant serialises it. */
  get state(): object {
    const state = this.#playing ? 'playing' : 'idle'
    return {
      ...frames.player,
      player_id: this.id,
      name: this.id,
      display_name: this.id,
      available: !this.isAway,
      supported_features: [
        'play_media',
        'volume_set',
        ...(['plays', 'rejects'].includes(this.#behaviour) ? [] : ['play_announcement']),
      ],
      playback_state: state,
      state,
      volume_level: this.volume,
      group_volume: this.volume,
    }
  }

  setVolume(volume: number): void {
    this.volume = volume
    this.#options.onChange()
  }

  /** Plays a file in the background, as somebody who listens to music does. */
  playMusic(file: string): void {
    this.#music = new Decoding(file, format)
    void this.#play({ source: this.#music, isMusic: true }, 0)
  }

  /** Stops the music of Music Assistant; what a device announces by itself, it plays on. */
  async stopQueue(): Promise<void> {
    const isOwn = this.#behaviour === 'plays' || this.#playing?.isMusic
    if (isOwn) await this.stop()
  }

  async stop(): Promise<void> {
    this.#playing = undefined
    await this.#player.stop()
    this.#options.onChange()
  }

  /** Resolves when it plays nothing. */
  async silence(): Promise<void> {
    while (this.#playing) await delay(50)
  }

  /** Goes without a goodbye. */
  async leave(): Promise<void> {
    this.isAway = true
    await this.stop()
  }

  comeBack(): void {
    this.isAway = false
    this.#options.onChange()
  }

  async close(): Promise<void> {
    await this.stop()
    await this.#music?.end()
  }

  /** Resolves when Music Assistant would respond. @throws an Error with its message. */
  announce(url: string, volume: unknown): Promise<void> {
    // It reports success for players that are away.
    if (this.isAway) return Promise.resolve()
    const announced = this.#lock.then(() => this.#announce(url, volume))
    this.#lock = announced.catch(() => {})
    return announced
  }

  async #announce(url: string, volume: unknown): Promise<void> {
    if (this.#behaviour === 'rejects') throw new Error('The player cannot play')
    if (this.#behaviour === 'hangs') return new Promise(() => {})
    const source = new Decoding(url, format)
    const wasMusic = this.#playing?.isMusic === true
    const position = this.#player.positionSeconds
    const before = this.volume
    try {
      if (this.#behaviour === 'plays' && wasMusic) {
        await this.stop()
        await delay(400)
      }
      if (typeof volume === 'number') this.setVolume(volume)
      await this.#playAnnouncement(source)
    } finally {
      await source.end()
      this.setVolume(before)
      await delay(200)
      if (wasMusic && this.#music && !this.isAway)
        void this.#play({ source: this.#music, isMusic: true }, position)
    }
  }

  async #playAnnouncement(source: Decoding): Promise<void> {
    const isReady = await Promise.race([source.ready(), delay(readyLimitMs, false)])
    if (!isReady) return
    const startedAt = performance.now()
    const played = this.#play({ source, isMusic: false }, 0)
    if (this.#behaviour === 'takes') return
    if (this.#behaviour === 'announces' || this.#options.isQuick) return played
    await Promise.race([source.finished, delay(readyLimitMs)])
    const left = () => source.seconds * 1000 - (performance.now() - startedAt)
    await Promise.race([played, delay(left() + marginMs.max)])
    await delay(Math.max(0, left() + marginMs.min))
  }

  async #play(playing: Playing, fromSeconds: number): Promise<void> {
    this.#playing = playing
    this.#options.onChange()
    await this.#player.play(playing.source.read(fromSeconds), this.volume / 100, fromSeconds)
    if (this.#playing === playing) this.#playing = undefined
    this.#options.onChange()
  }
}
