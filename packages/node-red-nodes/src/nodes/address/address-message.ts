import { readSettings } from '../../runtime/settings.ts'
import { leaveSequence, type SoundMessage } from '../../sounds/chunk-sequences.ts'
import type { Sound } from '../../sounds/sound.ts'
import { isPlayerNode, type PlayerNode, playMessage } from '../../sounds/to-play/player-messages.ts'
import { isResponseForm, type ResponseForm } from '../../sounds/to-play/sound-store.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface AddressSettings {
  player?: string
  response?: string
  address?: string
  maxSounds?: string | number
  maxMebibytes?: string | number
}

export interface AddressOptions {
  player: PlayerNode
  response: ResponseForm
  /** The address of Node-RED as players see it; empty: determined automatically. */
  address: string
  maxSounds: number
  maxBytes: number
}

export function readOptions(settings: AddressSettings): AddressOptions {
  const { player, response, address, maxSounds, maxMebibytes } = readSettings({}, settings, {
    player: { form: 'player', fallback: 'plain' },
    response: { form: 'response', fallback: 'adaptive' },
    address: { form: 'address', fallback: '' },
    maxSounds: { form: 'maxSounds', isNumber: true },
    maxMebibytes: { form: 'maxMebibytes', isNumber: true },
  })
  return {
    player: isPlayerNode(player) ? player : 'plain',
    response: isResponseForm(response) ? response : 'adaptive',
    address: String(address),
    maxSounds: atLeastOne(maxSounds, 50),
    maxBytes: atLeastOne(maxMebibytes, 64) * 1024 * 1024,
  }
}

function atLeastOne(value: number | undefined, fallback: number): number {
  return value !== undefined && value >= 1 ? value : fallback
}

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
  sound: Sound,
): AddressMessage {
  leaveSequence(message)
  return Object.assign(message, playMessage(player, url, sound))
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
