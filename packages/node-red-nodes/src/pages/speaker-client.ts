import type { SoundWord } from '../sounds/sound.ts'
import type { BrowserCommand, BrowserEvent } from '../speakers/browser/commands.ts'
import { softerAmplitude, softerForMs } from '../speakers/kind-settings.ts'
import { canPlaySound, createPlayer, type PagePlayback, type PagePlayer } from './player.ts'

/** How a browser reaches its speaker on the server. */
export interface SpeakerServer {
  /** Reports an event, also while the page is being closed. Resolves whether the browser is to play. */
  report(id: string, event: BrowserEvent): Promise<boolean>
  /** Requests the audio of an offer. */
  fetchAudio(id: string): Promise<Response>
}

/** A text while it is said. */
export interface Saying {
  /** Its words that are known so far. */
  readonly words: readonly SoundWord[]
  /** How much of its sound was heard. */
  readonly positionSeconds: number
}

export interface SpeakerClientOptions {
  server: SpeakerServer
  /** Called when a sound begins, with its text, and without a text when no sound plays. */
  onSaying?(text: string | undefined, saying?: Saying): void
  /** Called when the browser begins or ceases to allow sound. */
  onUnlocked?(isUnlocked: boolean): void
}

/** An id that other browsers cannot guess. */
export function createPlayerId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    '',
  )
}

/** Lets a browser play the sounds of a speaker. */
export function createSpeakerClient(options: SpeakerClientOptions) {
  const { server, onSaying = () => {}, onUnlocked = () => {} } = options
  const player = createPlayer((isUnlocked) => {
    onUnlocked(isUnlocked)
    if (isUnlocked) server.report('', 'unlocked').catch(() => {})
  })
  const sounds = new OfferedSounds(server, player, onSaying)
  const unlock = () => {
    if (canPlaySound && !player.isUnlocked()) player.unlock()
  }
  const isHidden = () => document.visibilityState === 'hidden'
  // Browsers allow sound only after a click, a tap or a key.
  for (const gesture of ['pointerdown', 'touchend', 'keydown']) {
    addEventListener(gesture, unlock, true)
  }
  // Some tablets take the sound away while they sleep.
  document.addEventListener('visibilitychange', () => {
    if (!isHidden() && sounds.isPlaying) unlock()
  })
  addEventListener('pagehide', () => sounds.endAll())

  const take = async (command: BrowserCommand) => {
    const { id } = command
    if (command.type === 'stop') return sounds.end(id)
    if (command.type === 'words') return sounds.addWords(id, command.words)
    if (command.type === 'offer') sounds.expect(id)
    const event = !player.isUnlocked() ? 'locked' : isHidden() ? 'hidden' : 'ready'
    const isChosen = await server.report(id, event)
    if (command.type !== 'offer') return
    if (isChosen) await sounds.play(command)
    else sounds.end(id)
  }
  return {
    /** Handles a command of the server. */
    take: (command: BrowserCommand) => void take(command).catch(() => {}),
    /** Allows sound where the browser needs no click for it. */
    unlock,
    /** 0 to 100: the volume that the user of the browser chose. */
    setVolume: player.setVolume,
  }
}

/** The sounds that this browser plays, or is about to. */
class OfferedSounds {
  readonly #server: SpeakerServer
  readonly #player: PagePlayer
  readonly #onSaying: SpeakerClientOptions['onSaying'] & {}
  /** The sounds by their ids, each without a playback until the audio arrives. */
  readonly #playbacks = new Map<string, PagePlayback | undefined>()
  /** The words of each sound, also before it plays. */
  readonly #words = new Map<string, SoundWord[]>()
  /** The sounds that turn the others down. */
  readonly #softening = new Set<string>()

  constructor(
    server: SpeakerServer,
    player: PagePlayer,
    onSaying: SpeakerClientOptions['onSaying'] & {},
  ) {
    this.#server = server
    this.#player = player
    this.#onSaying = onSaying
  }

  get isPlaying(): boolean {
    return this.#playbacks.size > 0
  }

  /** Words of a sound can arrive before it plays. */
  expect(id: string): void {
    this.#words.set(id, [])
  }

  addWords(id: string, words: readonly SoundWord[]): void {
    this.#words.get(id)?.push(...words)
  }

  async play({ id, sampleRateHertz, volume, text, softens }: BrowserCommand & { type: 'offer' }) {
    this.#playbacks.set(id, undefined)
    try {
      const { ok, body } = await this.#server.fetchAudio(id)
      // It was stopped meanwhile.
      if (!this.#playbacks.has(id)) return void body?.cancel()
      if (!ok || !body) return this.end(id, 'failed')
      const playback = this.#player.play({
        body,
        sampleRateHertz,
        volume,
        onStarted: () => this.#report(id, 'started'),
        onEnded: () => this.end(id, 'ended'),
        onFailed: () => this.end(id, 'failed'),
      })
      this.#playbacks.set(id, playback)
      const words = this.#words.get(id) ?? []
      this.#onSaying(text, {
        words,
        get positionSeconds() {
          return playback.positionSeconds
        },
      })
      if (softens) this.#softening.add(id)
      this.#setLevels()
    } catch {
      this.end(id, 'failed')
    }
  }

  end(id: string, event?: BrowserEvent): void {
    this.#playbacks.get(id)?.stop()
    this.#words.delete(id)
    if (this.#playbacks.delete(id) && !this.isPlaying) this.#onSaying(undefined)
    if (this.#softening.has(id)) window.setTimeout(() => this.#endSoftening(id), softerForMs)
    if (event) this.#report(id, event)
  }

  /** The page is being closed. */
  endAll(): void {
    for (const id of [...this.#playbacks.keys()]) this.end(id, 'failed')
  }

  #endSoftening(id: string): void {
    this.#softening.delete(id)
    this.#setLevels()
  }

  #setLevels(): void {
    for (const [id, playback] of this.#playbacks) {
      const isSofter = this.#softening.size > 0 && !this.#softening.has(id)
      playback?.setLevel(isSofter ? softerAmplitude : 1)
    }
  }

  #report(id: string, event: BrowserEvent): void {
    this.#server.report(id, event).catch(() => {})
  }
}
