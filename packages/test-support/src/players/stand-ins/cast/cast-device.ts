import { randomUUID } from 'node:crypto'
import { AddressPlayer } from '../playback/address-player.ts'

/** What a stand-in for a Cast device does with what it is given. */
export type CastBehaviour =
  | 'plays'
  /** Cannot start an application. */
  | 'cannot-launch'
  /** Says that it cannot load an address. */
  | 'cannot-load'
  /** Has no volume that can be set. */
  | 'fixed-volume'
  /** Loses the connection when it becomes softer. */
  | 'loses-connection'
  /** Never responds to what it is given. */
  | 'hangs'

type Fields = Record<string, unknown>

/** The device behind the messages: its volume, its application, and what that plays. */
export class CastDevice {
  volume = 0.8
  app: { appId: string; sessionId: string; transportId: string } | undefined
  readonly behaviour: CastBehaviour
  readonly #player: AddressPlayer
  readonly #onChange: (mediaStatus?: Fields) => void
  #mediaSessionId = 0
  #media: Fields | undefined
  #state = 'IDLE'
  #startedAt = 0
  #pausedAtSeconds = 0

  /** @param onChange Called with the new status of the media, or for that of the device. */
  constructor(
    behaviour: CastBehaviour,
    environment: NodeJS.ProcessEnv,
    onChange: (mediaStatus?: Fields) => void,
  ) {
    this.behaviour = behaviour
    this.#player = new AddressPlayer(environment)
    this.#onChange = onChange
  }

  /** What a sound leaves as it was. */
  get lasting(): object {
    return { volume: this.volume, content: this.#media?.['contentId'] }
  }

  get status(): Fields {
    const { behaviour, volume, app } = this
    const controlType = behaviour === 'fixed-volume' ? 'fixed' : 'attenuation'
    const names = ['urn:x-cast:com.google.cast.cac', 'urn:x-cast:com.google.cast.media']
    const application = app && {
      ...app,
      appType: 'WEB',
      displayName: 'Default Media Receiver',
      iconUrl: '',
      isIdleScreen: false,
      launchedFromCloud: false,
      namespaces: names.map((name) => ({ name })),
      statusText: 'Default Media Receiver',
      universalAppId: app.appId,
    }
    return {
      ...(application && { applications: [application] }),
      userEq: {},
      volume: { controlType, level: volume, muted: false, stepInterval: 0.05 },
    }
  }

  get mediaStatus(): Fields[] {
    return this.#media ? [this.#mediaStatusNow()] : []
  }

  /** Starts an application, which ends the one before. */
  async launch(appId: string): Promise<void> {
    await this.end()
    this.app = { appId, sessionId: randomUUID(), transportId: randomUUID() }
    this.#onChange()
  }

  /** Ends the application. */
  async end(): Promise<void> {
    await this.#player.stop()
    this.#media = undefined
    this.#state = 'IDLE'
    this.app = undefined
  }

  setVolume(level: number): void {
    this.volume = level
    this.#onChange()
  }

  /** Loads an address or a file instead of what it plays. */
  async load(media: Fields, fromSeconds: number): Promise<void> {
    if (this.#media) this.#report('IDLE', 'INTERRUPTED')
    this.#mediaSessionId += 1
    this.#media = media
    this.#state = 'PLAYING'
    this.#startedAt = performance.now() - fromSeconds * 1000
    await this.#player.stop()
    const mediaSessionId = this.#mediaSessionId
    const played = this.#player.play(String(media['contentId']), this.volume, fromSeconds)
    void played.then((isWhole) => {
      if (mediaSessionId !== this.#mediaSessionId || !this.#media || !isWhole) return
      this.#report('IDLE', 'FINISHED')
      this.#media = undefined
    })
  }

  /** Has a medium that does not play. */
  pause(media: Fields, atSeconds: number): void {
    this.#mediaSessionId += 1
    this.#media = media
    this.#state = 'PAUSED'
    this.#pausedAtSeconds = atSeconds
  }

  /** Ends what it plays, as the remote control of a television does. */
  async stop(idleReason = 'CANCELLED'): Promise<void> {
    await this.#player.stop()
    if (this.#media) this.#report('IDLE', idleReason)
    this.#media = undefined
  }

  #report(state: string, idleReason: string): void {
    this.#state = state
    this.#onChange({ ...this.#mediaStatusNow(), idleReason })
  }

  #mediaStatusNow(): Fields {
    const elapsedSeconds = (performance.now() - this.#startedAt) / 1000
    const times: Record<string, number> = {
      PLAYING: elapsedSeconds,
      PAUSED: this.#pausedAtSeconds,
    }
    return {
      mediaSessionId: this.#mediaSessionId,
      playbackRate: 1,
      playerState: this.#state,
      currentTime: times[this.#state] ?? 0,
      supportedMediaCommands: 12_303,
      volume: { level: 1, muted: false },
      // A device does not repeat it when it ends.
      ...(this.#state !== 'IDLE' && { media: this.#media }),
      currentItemId: 1,
      repeatMode: 'REPEAT_OFF',
    }
  }
}
