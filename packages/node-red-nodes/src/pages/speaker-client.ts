import type { BrowserCommand, BrowserEvent } from '../speakers/browser/commands.ts'
import { canPlaySound, createPlayer } from './player.ts'

/** How a browser reaches its speaker on the server. */
export interface SpeakerServer {
  /** Reports an event, also while the page is being closed. Resolves whether the browser is to play. */
  report(id: string, event: BrowserEvent): Promise<boolean>
  /** Requests the audio of an offer. */
  fetchAudio(id: string): Promise<Response>
}

export interface SpeakerClientOptions {
  server: SpeakerServer
  /** Called when a sound begins, with its text, and without a text when no sound plays. */
  onSaying?(text: string | undefined): void
  /** Called when the browser begins or ceases to allow sound. */
  onUnlocked?(isUnlocked: boolean): void
}

export interface SpeakerClient {
  /** Handles a command of the server. */
  take(command: BrowserCommand): void
  /** Allows sound where the browser needs no click for it. */
  unlock(): void
  /** 0 to 100: the volume that the user of the browser chose. */
  setVolume(percent: number): void
}

/** An id that other browsers cannot guess. */
export function createPlayerId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    '',
  )
}

/** Lets a browser play the sounds of a speaker. */
export function createSpeakerClient(options: SpeakerClientOptions): SpeakerClient {
  const { server, onSaying = () => {}, onUnlocked = () => {} } = options
  const player = createPlayer(onUnlocked)
  const stops = new Map<string, () => void>()

  const unlock = () => {
    if (canPlaySound && !player.isUnlocked()) player.unlock()
  }
  // Browsers allow sound only after a click, a tap or a key.
  for (const gesture of ['pointerdown', 'touchend', 'keydown']) {
    addEventListener(gesture, unlock, true)
  }

  const isHidden = () => document.visibilityState === 'hidden'
  // Some tablets take the sound away while they sleep.
  document.addEventListener('visibilitychange', () => {
    if (!isHidden() && stops.size > 0) unlock()
  })

  const end = (id: string, event?: BrowserEvent) => {
    stops.get(id)?.()
    if (stops.delete(id) && stops.size === 0) onSaying(undefined)
    if (event) server.report(id, event).catch(() => {})
  }
  addEventListener('pagehide', () => {
    for (const id of [...stops.keys()]) end(id, 'failed')
  })

  const play = async ({
    id,
    sampleRateHertz,
    volume,
    text,
  }: BrowserCommand & { type: 'offer' }) => {
    stops.set(id, () => {})
    try {
      const { ok, body } = await server.fetchAudio(id)
      // It was stopped meanwhile.
      if (!stops.has(id)) return void body?.cancel()
      if (!ok || !body) return end(id, 'failed')
      onSaying(text)
      const stop = player.play({
        body,
        sampleRateHertz,
        volume,
        onStarted: () => void server.report(id, 'started').catch(() => {}),
        onEnded: () => end(id, 'ended'),
        onFailed: () => end(id, 'failed'),
      })
      stops.set(id, stop)
    } catch {
      end(id, 'failed')
    }
  }

  const take = async (command: BrowserCommand) => {
    const { id } = command
    if (command.type === 'stop') return end(id)
    const event = !player.isUnlocked() ? 'locked' : isHidden() ? 'hidden' : 'ready'
    const isChosen = await server.report(id, event)
    if (isChosen && command.type === 'offer') await play(command)
  }
  return {
    take: (command) => void take(command).catch(() => {}),
    unlock,
    setVolume: player.setVolume,
  }
}
