import type { Texts } from '../../../runtime/texts.ts'
import { abortableDelay, rejectionOf, unlessAborted, withinTime } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { PublishedSound, SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { softerVolume } from '../../device-drivers/device-sound.ts'
import { type FetchProgress, untilSent, watchFetch } from '../../device-drivers/fetch-progress.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { notFetched } from '../../speaker-error.ts'
import type { Player } from './player.ts'
import { problem } from './speaker-problem.ts'

/** Music Assistant fetches the sound itself, at once; but some players start first. */
const defaultFetchLimitMs = 10_000
/** From the last byte to the last sample, a player needs some time more than the sound lasts. */
const marginMs = 1_000
/** Music Assistant waits up to ten seconds for a player to begin, and two for its end, before it restores what it did. */
const maxEndDelayMs = 20_000
/** A player that is told to announce, and does not report the end, has probably played it if this much of it has passed. */
const minShare = 0.8
/** After an abort, the announcer does not wait much longer. */
const stopLimitMs = 1_000

export interface AnnouncementCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  RED: Texts
  sounds: SoundStore
  /** The address of Node-RED as Music Assistant sees it; empty: determined automatically. */
  address: string
  /** Ends the wait for the player. */
  closing: AbortSignal
  /** How long Music Assistant may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

export interface PlayerAnnouncement {
  /** Resolves when it was heard to its end. @throws {SpeakerError} the error of the sound, or the reason of the signal. */
  played: Promise<Played>
  /**
   * Resolves when the player is free for the next one: an announcement that was stopped holds it until it would have ended. One
   * that Music Assistant never ends does not hold it for ever.
   */
  over: Promise<void>
}

/** Has Music Assistant play a sound on a player, which then does what it did before. */
export function playAnnouncement(
  player: Player,
  sound: Sound,
  call: AnnouncementCall,
): PlayerAnnouncement {
  const published = call.sounds.publish(sound, { address: call.address })
  const progress = watchFetch(sound, published)
  const announced = player.announce(published.url, softer(player.state.volume, call.volume))
  const played = untilPlayed(player, sound, { ...call, published, progress, announced })
  const late = async () => {
    await played.catch(() => {})
    const restMs = (sound.durationSeconds ?? 0) * 1000 + maxEndDelayMs
    if (progress.isFetched) await abortableDelay(restMs, call.closing).catch(() => {})
  }
  return { played, over: Promise.race([announced.catch(() => {}), late()]) }
}

function softer(present: number | undefined, percent: number): number | undefined {
  return present === undefined ? undefined : Math.round(softerVolume(present, percent))
}

interface Wait extends AnnouncementCall {
  published: PublishedSound
  progress: FetchProgress
  /** Ends with the call of Music Assistant. */
  announced: Promise<void>
}

async function untilPlayed(player: Player, sound: Sound, call: Wait): Promise<Played> {
  const { published, RED, announced } = call
  const finished = new AbortController()
  const wait = { ...call, signal: AbortSignal.any([call.signal, finished.signal]) }
  const plays = player.state.announces && player.state.isPlaying
  const { name } = player.state
  const gone = player
    .until(({ isAvailable }) => !isAvailable, wait.signal)
    .then(() => {
      throw problem(RED, 'unavailable', { name })
    })
  const failures = [gone, player.ended, rejectionOf(sound.completed), rejectionOf(announced)]
  try {
    return (await Promise.race([untilEnd(player, sound, wait), ...failures])) as Played
  } catch (error) {
    // What Music Assistant has not received yet, it cannot play.
    published.remove()
    // On a device that announces over its music, it would stop the music, and not the sound.
    const stopped = plays ? Promise.resolve() : player.stop()
    await withinTime(stopLimitMs, stopped, () => new Error('took too long')).catch(() => {})
    throw error
  } finally {
    finished.abort()
    published.remove()
  }
}

async function untilEnd(player: Player, sound: Sound, wait: Wait): Promise<Played> {
  const { RED, published, progress, announced, signal } = wait
  const { fetchLimitMs = defaultFetchLimitMs } = wait
  void firstSound(player, published, signal).then(wait.onFirstSound, () => {})
  // Music Assistant reports success, too, when it could not fetch the address.
  const begun = Promise.race([published.fetched, announced])
  const late = () => notFetched(RED, published.warning)
  await withinTime(fetchLimitMs, unlessAborted(begun, signal), late)
  if (!progress.isFetched) throw late()
  const fetchedAt = performance.now()
  await unlessAborted(sound.completed, signal)
  const durationMs = (sound.durationSeconds ?? 0) * 1000
  await untilSent(RED, sound, published.sent, signal)
  const isReported = await isEnded(announced, durationMs + maxEndDelayMs, signal)
  wait.onFirstSound()
  if (isReported && performance.now() - fetchedAt > minShare * durationMs)
    return { confirmedBy: 'player' }
  // Some players only take the announcement.
  await abortableDelay(Math.max(0, fetchedAt + durationMs + marginMs - performance.now()), signal)
  return { confirmedBy: 'duration' }
}

/** Resolves when the sound is heard, as far as the player shows it. */
async function firstSound(
  player: Player,
  { fetched }: PublishedSound,
  signal: AbortSignal,
): Promise<void> {
  const { announces, isPlaying } = player.state
  if (!announces && isPlaying) await player.until((state) => !state.isPlaying, signal)
  if (!announces) await player.until((state) => state.isPlaying, signal)
  await unlessAborted(fetched, signal)
}

/** @returns whether Music Assistant reports the end within the time. @throws the reason of the signal. */
async function isEnded(
  announced: Promise<void>,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const ended = unlessAborted(announced, signal).then(() => true)
  return withinTime(limitMs, ended, () => 'late').catch((error) => {
    if (error === 'late') return false
    throw error
  })
}
