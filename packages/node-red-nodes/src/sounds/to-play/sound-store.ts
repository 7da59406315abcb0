import { randomBytes } from 'node:crypto'
import { encodings } from '@parlando/core/audio'
import type { Sound } from '../sound.ts'
import type { PlayerRoute } from './own-address.ts'
import type { AddressWarning, PlayerAddress } from './player-address.ts'
import { type ByteRange, SentBytes } from './sent-bytes.ts'

export interface PublishOptions {
  /** Default: `adaptive`. */
  response?: ResponseForm
  /** The address of Node-RED as players see it, such as `http://192.168.1.5:1880`; empty: determined automatically. */
  address?: string
  /** The address of this machine as the player reaches it, if the player is known. */
  route?: PlayerRoute | undefined
}

/**
 * How players receive a sound: as a file if it is complete within a tenth of a second, else as it grows (`adaptive`); always
 * as it grows (`chunked`); or as a file once it is complete (`file`).
 */
export type ResponseForm = (typeof responseForms)[number]
export const responseForms = ['adaptive', 'chunked', 'file'] as const

/** Whether a hand-written flow names a form that exists. */
export function isResponseForm(name: unknown): name is ResponseForm {
  return responseForms.some((form) => form === name)
}

export interface PublishedSound {
  url: string
  /** Why players may not be able to fetch the address. */
  warning: AddressWarning | undefined
  /** Resolves when a player begins to fetch the sound. */
  fetched: Promise<void>
  /** Resolves when every byte of the sound was sent to a player, in any order. */
  sent: Promise<void>
  /** Takes the address away, and ends the responses to players that are still reading. */
  remove(): void
}

/** What the route needs to serve a sound. */
export interface StoredSound {
  sound: Sound
  response: ResponseForm
  /** Aborted when nobody may read the sound any more. */
  removed: AbortSignal
  noteFetch(): void
  /** @param range Default: the whole sound. */
  noteSent(range?: ByteRange): void
}

export interface SoundStoreOptions {
  /** Determines the address that players see. @param typed what the user typed, if anything. */
  addressOf(typed: string | undefined, route: PlayerRoute | undefined): PlayerAddress
  /** Default: 50. */
  maxSounds?: number
  /** Default: 64 MiB. */
  maxBytes?: number
  /** How long an address is valid. Default: one hour. */
  lifetimeMs?: number
}

/** Sounds that players fetch from an address on Node-RED's own port, also while the sounds grow. */
export function createSoundStore({
  addressOf,
  maxSounds = 50,
  maxBytes = 64 * 1024 * 1024,
  lifetimeMs = 3_600_000,
}: SoundStoreOptions) {
  // The oldest sound comes first.
  const stored = new Map<string, StoredSound & { expiry: NodeJS.Timeout }>()

  const remove = (fileName: string) => {
    clearTimeout(stored.get(fileName)?.expiry)
    stored.delete(fileName)
  }
  const makeRoom = () => {
    let bytes = 0
    for (const { sound } of stored.values()) bytes += sound.heldBytes
    for (const [fileName, { sound }] of stored) {
      // The newest sound stays: its address has just been handed out.
      if (stored.size === 1 || (stored.size <= maxSounds && bytes <= maxBytes)) return
      bytes -= sound.heldBytes
      remove(fileName)
    }
  }

  return {
    /** Gives a sound an address that nobody can guess. If there are too many sounds, the oldest ones lose theirs. */
    publish(sound: Sound, { response = 'adaptive', address, route }: PublishOptions = {}) {
      const { fileExtension } = encodings[sound.format.audioEncoding]
      const fileName = `${randomBytes(16).toString('base64url')}.${fileExtension}`
      const { baseUrl, warning } = addressOf(address, route)
      const { fetched, noteFetch, sent, noteSent } = followPlayers(sound)
      const removal = new AbortController()
      const { signal: removed } = removal
      const expiry = setTimeout(remove, lifetimeMs, fileName).unref()
      stored.set(fileName, { sound, response, removed, noteFetch, noteSent, expiry })
      makeRoom()
      // It may have grown too large meanwhile.
      sound.completed.then(makeRoom, () => remove(fileName))
      return {
        url: `${baseUrl}/parlando/sounds/${fileName}`,
        warning,
        fetched,
        sent,
        remove() {
          remove(fileName)
          removal.abort()
        },
      }
    },
    /** The sound of a file name, which ends an address. */
    find: (fileName: string) => stored.get(fileName),
    /** Takes all addresses away. Players that are still reading get the rest. */
    close() {
      for (const fileName of stored.keys()) remove(fileName)
    },
  }
}

export type SoundStore = ReturnType<typeof createSoundStore>

/** What players have fetched of a sound. */
function followPlayers(sound: Sound) {
  const [fetched, noteFetch] = createEvent()
  const [sent, noteWhole] = createEvent()
  const sentBytes = new SentBytes()
  const noteSent = (range?: ByteRange) => {
    if (range) sentBytes.add(range)
    if (!range || (sound.isComplete && sentBytes.areAll(sound.byteLength))) noteWhole()
  }
  return { fetched, noteFetch, sent, noteSent }
}

function createEvent(): [happened: Promise<void>, note: () => void] {
  let note = () => {}
  const happened = new Promise<void>((resolve) => {
    note = resolve
  })
  return [happened, note]
}
