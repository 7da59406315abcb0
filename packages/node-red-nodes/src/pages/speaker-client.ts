import type { BrowserCommand, BrowserEvent } from '../speakers/browser/commands.ts'
import { createPlayer } from './player.ts'

/** How a browser reaches its loudspeaker on the server. */
export interface SpeakerServer {
  /** Reports an event. Resolves whether the browser is to play. */
  report(id: string, event: BrowserEvent): Promise<boolean>
  /** Requests the audio of an offer. */
  fetchAudio(id: string): Promise<Response>
}

export interface SpeakerClientOptions {
  server: SpeakerServer
  /** Called when a sound begins, with its text, and without a text when no sound plays. */
  onSaying?(text: string | undefined): void
  /** Called when the browser begins to allow sound. */
  onUnlocked?(): void
  /** 0 to 100: the volume that the user of the browser chose. */
  ownVolume?(): number
}

/** Lets a browser play the sounds of a loudspeaker. @returns a function that takes the commands of the server. */
export function createSpeakerClient({
  server,
  onSaying = () => {},
  onUnlocked = () => {},
  ownVolume = () => 100,
}: SpeakerClientOptions): (command: BrowserCommand) => void {
  const player = createPlayer()
  const stops = new Map<string, () => void>()

  // Browsers allow sound only after a click, a tap or a key.
  const gestures = ['pointerdown', 'touchend', 'keydown']
  const unlock = () => {
    player.unlock()
    // Resuming takes a moment.
    window.setTimeout(() => {
      if (!player.isUnlocked()) return
      for (const gesture of gestures) removeEventListener(gesture, unlock, true)
      onUnlocked()
    }, 100)
  }
  for (const gesture of gestures) addEventListener(gesture, unlock, true)

  const play = async (offer: Extract<BrowserCommand, { type: 'offer' }>) => {
    const { id, sampleRateHertz, volume, text } = offer
    let isStopped = false
    stops.set(id, () => {
      isStopped = true
    })
    const end = (event: BrowserEvent) => {
      stops.delete(id)
      if (stops.size === 0) onSaying(undefined)
      void server.report(id, event)
    }
    const { ok, body } = await server.fetchAudio(id)
    if (isStopped) return void body?.cancel()
    if (!ok || !body) return end('failed')
    onSaying(text)
    stops.set(
      id,
      player.play({
        body,
        sampleRateHertz,
        volume: (volume * ownVolume()) / 100,
        onStarted: () => void server.report(id, 'started'),
        onEnded: () => end('ended'),
        onFailed: () => end('failed'),
      }),
    )
  }

  const take = async (command: BrowserCommand) => {
    const { id } = command
    if (command.type === 'stop') {
      stops.get(id)?.()
      if (stops.delete(id) && stops.size === 0) onSaying(undefined)
      return
    }
    // A visible tab comes before a hidden one.
    if (document.visibilityState === 'hidden')
      await new Promise((resolve) => setTimeout(resolve, 100))
    const isChosen = await server.report(id, player.isUnlocked() ? 'ready' : 'locked')
    if (isChosen && command.type === 'offer') await play(command)
  }
  return (command) => void take(command).catch(() => {})
}
