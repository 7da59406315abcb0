import type { SoundMessage } from '../../sounds/collect-sound.ts'
import type { Sound } from '../../sounds/sound.ts'

export interface AddressMessage extends SoundMessage {
  stop?: unknown
  url?: string
}

/** The nodes for which a message can be made. */
export type PlayerNode =
  | 'plain'
  | 'sonos-plus'
  | 'castv2'
  | 'home-assistant'
  | 'dashboard-2'
  | 'vlc'

/** What each node expects, as its documentation says (read 2026-11). */
const propertiesFor: Readonly<Record<PlayerNode, (url: string, mediaType: string) => object>> = {
  plain: (url) => ({ payload: url }),
  // Plays a notification, and afterwards what was playing before.
  'sonos-plus': (url) => ({ payload: url, topic: 'group.play.notification' }),
  castv2: (url, contentType) => ({ payload: { type: 'MEDIA', media: { url, contentType } } }),
  // The media player is chosen in the action node.
  'home-assistant': (url) => ({
    payload: {
      action: 'media_player.play_media',
      data: { media_content_id: url, media_content_type: 'music', announce: true },
    },
  }),
  'dashboard-2': (url) => ({ payload: url, ui_update: { source: url, autoplay: 'on' } }),
  // For the remote control interface of VLC, over TCP.
  vlc: (url) => ({ payload: `add ${url}\n` }),
}

/** Whether a hand-written flow names a node that exists. */
export function isPlayerNode(name: unknown): name is PlayerNode {
  return Object.hasOwn(propertiesFor, String(name))
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
  const { parts: outerParts } = (message.parts ?? {}) as { parts?: SoundMessage['parts'] }
  delete message.complete
  if (outerParts) message.parts = outerParts
  else delete message.parts
  return Object.assign(message, propertiesFor[player](url, mediaType), { url })
}

/** The facts about a complete sound for `msg.audio`, added to those of an earlier node. */
export function wholeAudio(sound: Sound, { audio }: SoundMessage): object {
  const { byteLength, durationSeconds, mediaType, format } = sound
  return {
    ...(audio as object | undefined),
    encoding: format.audioEncoding,
    mediaType,
    bytes: byteLength,
    durationSeconds: durationSeconds === undefined ? undefined : Number(durationSeconds.toFixed(3)),
  }
}
