import { isIPv4 } from 'node:net'
import type { Texts } from '../../../runtime/texts.ts'
import { abortableDelay, rejectionOf, unlessAborted, withinTime } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { watchFetch } from '../../device-drivers/fetch-progress.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { fetchWithinMs, notFetched, SpeakerError } from '../../speaker-error.ts'
import { encodeGain, encodeStream, encodeStreamCommand, type StreamRequest } from './frames.ts'
import type { PlayerEvent, SlimPlayer } from './player.ts'

/** PulseAudio gives players a buffer of two seconds. */
const maxDeviceMs = 5_000

export interface StreamCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  RED: Texts
  sounds: SoundStore
  /** The address of Node-RED as players see it; empty: that of the server which they are connected to. */
  address: string
  fetchLimitMs?: number
}

/**
 * Plays a sound on a player.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playStream(
  player: SlimPlayer,
  sound: Sound,
  call: StreamCall,
): Promise<Played> {
  const { signal, volume, RED } = call
  const published = call.sounds.publish(sound, { address: call.address })
  const progress = watchFetch(sound, published)
  let isOver = false
  try {
    const request = requestFor(published.url, call.address !== '')
    if (!request) throw notFetched(RED, published.warning)
    const ended = untilEnd(player, sound, call)
    ended.catch(() => {})
    player.send(encodeGain(volume / 100))
    player.send(encodeStream(request))
    const limitMs = call.fetchLimitMs ?? fetchWithinMs
    const fetched = Promise.race([published.fetched, ended])
    const late = () => notFetched(RED, published.warning)
    await withinTime(limitMs, unlessAborted(fetched, signal), late)
    await unlessAborted(Promise.race([ended, rejectionOf(sound.completed)]), signal)
    isOver = true
    // A player takes the end of a broken connection for the end of the sound.
    if (!progress.isSent) throw playerGone(RED, player)
    return { confirmedBy: 'player' }
  } finally {
    if (!isOver) player.send(encodeStreamCommand('q'))
    player.send(encodeGain(1))
    published.remove()
  }
}

/** @param isTyped Whether the user stated the address. @returns undefined if it is not an address. */
function requestFor(address: string, isTyped: boolean): StreamRequest | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, host, port, pathname } = new URL(address)
  const isHttps = protocol === 'https:'
  return {
    port: Number(port) || (isHttps ? 443 : 80),
    ...(isTyped && isIPv4(hostname) && { ipv4: hostname.split('.').map(Number) }),
    isHttps,
    // HTTP/1.0 has no chunks, which not all players read.
    request: `GET ${pathname} HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  }
}

/** Resolves when the player has played what it fetched. @throws {SpeakerError} when it cannot, or is gone. */
async function untilEnd(player: SlimPlayer, sound: Sound, call: StreamCall): Promise<void> {
  const { elapsedMs } = await untilEmpty(player, call)
  // What its sound device still has.
  const restMs = (sound.durationSeconds ?? 0) * 1000 - elapsedMs
  await abortableDelay(Math.min(Math.max(0, restMs), maxDeviceMs), call.signal)
}

function untilEmpty(
  player: SlimPlayer,
  { RED, signal, onFirstSound }: StreamCall,
): Promise<PlayerEvent> {
  const rejected = () => {
    const values = { player: player.name || player.id }
    return new SpeakerError('SPEAKER_REFUSED', RED._('speaker.squeezebox.rejected', values))
  }
  let isConnected = false
  let leave = () => {}
  const emptied = new Promise<PlayerEvent>((resolve, reject) => {
    const endEvents = player.onEvent((event) => {
      // Events of the stream before may still be on their way.
      if (event.name === 'STMc') isConnected = true
      if (!isConnected) return
      if (event.name === 'STMs') onFirstSound()
      if (event.name === 'STMu') resolve(event)
      if (event.name === 'STMn') reject(rejected())
    })
    const noteGone = () => reject(playerGone(RED, player))
    player.gone.addEventListener('abort', noteGone, { once: true })
    if (player.gone.aborted) noteGone()
    leave = () => {
      endEvents()
      player.gone.removeEventListener('abort', noteGone)
    }
  })
  return unlessAborted(emptied, signal).finally(leave)
}

function playerGone(RED: Texts, player: SlimPlayer): SpeakerError {
  const values = { player: player.name || player.id }
  return new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.squeezebox.gone', values))
}
