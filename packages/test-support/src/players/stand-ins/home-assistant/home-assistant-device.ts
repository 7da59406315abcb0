import { setTimeout as delay } from 'node:timers/promises'
import { AddressPlayer } from '../playback/address-player.ts'

/** What a stand-in device does with a sound. */
export type Behaviour =
  | 'plays'
  /** Plays, and then goes on with its music by itself. */
  | 'announces'
  /** A voice satellite: its call ends with the sound. */
  | 'satellite'
  | 'rejects'
  | 'hangs'
  | 'unavailable'

/** Those of MPD. */
const mediaPlayer = 456_639
const announce = 1_048_576

interface Playing {
  mediaId: string
  isMusic: boolean
}

/** A media player or a satellite of the stand-in, which plays for real. */
export class StandInDevice {
  readonly id: string
  volume = 0.8
  isAway: boolean
  readonly #behaviour: Behaviour
  readonly #player: AddressPlayer
  readonly #onChange: () => void
  #playing: Playing | undefined
  #music = { file: '', atSeconds: 0 }

  constructor(
    id: string,
    behaviour: Behaviour,
    environment: NodeJS.ProcessEnv,
    onChange: () => void,
  ) {
    this.id = id
    this.#behaviour = behaviour
    this.isAway = behaviour === 'unavailable'
    this.#player = new AddressPlayer(environment)
    this.#onChange = onChange
  }

  /** What a sound leaves as it was. */
  get lasting(): object {
    return { volume: this.volume, music: this.#playing?.isMusic && this.#playing.mediaId }
  }

  get state(): string {
    if (this.isAway) return 'unavailable'
    if (this.#behaviour === 'satellite') return this.#playing ? 'responding' : 'idle'
    return this.#playing ? 'playing' : 'off'
  }

  get features(): number {
    if (this.#behaviour === 'satellite') return 1
    return this.#behaviour === 'announces' ? mediaPlayer + announce : mediaPlayer
  }

  /** Those of MPD, which has no volume while it is off, and a duration as a text. */
  get attributes(): Record<string, unknown> {
    const common = { friendly_name: this.id.split('.')[1], supported_features: this.features }
    if (!this.#playing || this.isAway || this.#behaviour === 'satellite') return common
    const { mediaId, isMusic } = this.#playing
    return {
      ...common,
      volume_level: this.volume,
      media_content_id: mediaId,
      media_content_type: 'music',
      media_duration: isMusic ? '60' : '0',
      media_position: Math.trunc(this.#player.positionSeconds),
      media_position_updated_at: new Date().toISOString(),
      media_title: mediaId.split('/').at(-1),
      shuffle: false,
      repeat: 'off',
    }
  }

  /** Calls a service. Resolves when Home Assistant would respond. @throws an Error with its message. */
  async call(service: string, data: Record<string, unknown>): Promise<void> {
    if (service === 'volume_set') this.volume = Number(data['volume_level'])
    else if (service === 'play_media') await this.#playMedia(String(data['media_content_id']))
    else if (service === 'announce') await this.#announce(String(data['media_id']))
    else if (service === 'media_stop') await this.stop()
    else if (service === 'media_seek') this.#seek(Number(data['seek_position']))
    this.#onChange()
  }

  /** Plays a file in the background, as somebody who listens to music does. */
  playMusic(file: string, fromSeconds = 0): void {
    this.#music = { file, atSeconds: fromSeconds }
    void this.#play(file, true, fromSeconds)
  }

  async stop(): Promise<void> {
    await this.#player.stop()
    this.#playing = undefined
  }

  /** Resolves when it plays nothing. */
  async silence(): Promise<void> {
    while (this.#playing) await delay(50)
  }

  /** Goes without a goodbye. */
  async leave(): Promise<void> {
    await this.stop()
    this.isAway = true
    this.#onChange()
  }

  comeBack(): void {
    this.isAway = false
    this.#onChange()
  }

  async #playMedia(mediaId: string): Promise<void> {
    if (this.#behaviour === 'rejects') throw new Error('Unable to play the media')
    if (this.#behaviour === 'hangs') return new Promise(() => {})
    const music = this.#playing?.isMusic ? this.#music.file : ''
    const atSeconds = this.#player.positionSeconds
    const playing = this.#play(mediaId, mediaId === this.#music.file, 0)
    if (this.#behaviour !== 'announces') return
    void playing.then((isWhole) => music && isWhole && this.playMusic(music, atSeconds))
  }

  async #announce(mediaId: string): Promise<void> {
    if (this.#playing) throw new Error('')
    await this.#play(mediaId, false, 0)
  }

  #seek(seconds: number): void {
    if (this.#playing?.isMusic) this.playMusic(this.#playing.mediaId, seconds)
  }

  async #play(mediaId: string, isMusic: boolean, fromSeconds: number): Promise<boolean> {
    const playing = { mediaId, isMusic }
    this.#playing = playing
    const played = this.#player.play(mediaId, this.volume, fromSeconds)
    this.#onChange()
    const isWhole = await played
    if (this.#playing === playing) this.#playing = undefined
    this.#onChange()
    return isWhole
  }
}
