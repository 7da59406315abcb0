import { randomUUID } from 'node:crypto'
import { AddressPlayer } from '../playback/address-player.ts'

/** What a stand-in for a player of Sonos does with a clip. */
export type SonosBehaviour =
  | 'plays'
  /** Has no clips, as older players. */
  | 'no-clips'
  /** Says that it cannot play an address. */
  | 'cannot-load'
  | 'fixed-volume'
  /** Never responds to a clip. */
  | 'hangs'

export interface StandInClip {
  id: string
  name: string
  appId: string
  status: string
  errorCode?: string
}

/** The player behind the messages: its volume, its music and its clips, which play over the music. */
export class SonosDevice {
  readonly playerId = `RINCON_${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}01400`
  readonly behaviour: SonosBehaviour
  volume = 80
  readonly #music: AddressPlayer
  readonly #clips: AddressPlayer
  readonly #onClip: (clip: StandInClip) => void
  #active: StandInClip | undefined
  #musicFile = ''

  /** @param onClip Called with each new status of a clip. */
  constructor(
    behaviour: SonosBehaviour,
    environment: NodeJS.ProcessEnv,
    onClip: (clip: StandInClip) => void,
  ) {
    this.behaviour = behaviour
    this.#onClip = onClip
    // The sound server makes what has the first role softer while something with the second one plays.
    this.#music = new AddressPlayer({ ...environment, PULSE_PROP: 'media.role=music' })
    this.#clips = new AddressPlayer({ ...environment, PULSE_PROP: 'media.role=announce' })
  }

  /** What a sound leaves as it was. */
  get lasting(): object {
    return { volume: this.volume, music: this.#musicFile }
  }

  playMusic(file: string): void {
    this.#musicFile = file
    void this.#music.play(file, this.volume / 100)
  }

  /** Loads a clip, which interrupts another one. */
  async loadClip(options: Record<string, unknown>): Promise<StandInClip> {
    const { name, appId, streamUrl, clipType, volume = this.volume } = options
    const clip = { id: randomUUID(), name: String(name), appId: String(appId), status: '' }
    if (this.#active) await this.#end(this.#active, 'INTERRUPTED')
    this.#active = clip
    const isCustom = clipType === 'CUSTOM' || clipType === undefined
    setImmediate(() => this.#play(clip, isCustom ? String(streamUrl) : '', Number(volume)))
    return clip
  }

  /** @returns false if there is no such clip. */
  async cancelClip(id: unknown): Promise<boolean> {
    if (this.#active?.id !== id || !this.#active) return false
    await this.#end(this.#active, 'DISMISSED')
    return true
  }

  async end(): Promise<void> {
    this.#active = undefined
    this.#musicFile = ''
    await Promise.all([this.#music.stop(), this.#clips.stop()])
  }

  #play(clip: StandInClip, url: string, volume: number): void {
    if (this.behaviour === 'cannot-load') {
      this.#active = undefined
      this.#onClip({ ...clip, status: 'ERROR', errorCode: 'ERROR_AUDIO_CLIP_MEDIA_ERROR' })
      return
    }
    this.#onClip({ ...clip, status: 'ACTIVE' })
    void this.#clips.play(url, volume / 100).then((isWhole) => {
      if (isWhole && this.#active === clip) void this.#end(clip, 'DONE')
    })
  }

  async #end(clip: StandInClip, status: string): Promise<void> {
    this.#active = undefined
    await this.#clips.stop()
    this.#onClip({ ...clip, status })
  }
}
