import type { SoundMessage } from '../../sounds/chunk-sequences.ts'
import { leaveSequence } from '../../sounds/chunk-sequences.ts'
import { type PlayerNode, playMessage } from '../../sounds/player-messages.ts'
import type { Sound } from '../../sounds/sound.ts'

export interface AddressMessage extends SoundMessage {
  stop?: unknown
  url?: string
}

/**
 * Turns a message with audio into one with the address of the sound. The message is no longer part of the sequence of
 * chunks, but of the sequence around it, if there is one.
 */
export function toAddressMessage(
  message: AddressMessage,
  player: PlayerNode,
  url: string,
  { mediaType }: Sound,
): AddressMessage {
  leaveSequence(message)
  return Object.assign(message, playMessage(player, url, mediaType))
}

/** The facts about a complete sound for `msg.audio`, added to those of an earlier node. */
export function wholeAudio(sound: Sound, { audio }: SoundMessage): object {
  const { byteLength, durationSeconds, mediaType, format } = sound
  return {
    ...(isFacts(audio) && audio),
    encoding: format.audioEncoding,
    mediaType,
    bytes: byteLength,
    durationSeconds: durationSeconds === undefined ? undefined : Number(durationSeconds.toFixed(3)),
  }
}

/** A copy of a text or a Buffer would have a member for each character or byte. */
function isFacts(audio: unknown): audio is object {
  return typeof audio === 'object' && !Array.isArray(audio) && !ArrayBuffer.isView(audio)
}
