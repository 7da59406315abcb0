import type { Sound } from '../sound.ts'

/** The nodes of other packages for which a message can be made. */
export type PlayerNode =
  | 'plain'
  | 'sonos-plus'
  | 'castv2'
  | 'home-assistant'
  | 'dashboard-2'
  | 'vlc'

type MessageProperties = Record<string, unknown>
type PlayedSound = Pick<Sound, 'mediaType' | 'isComplete' | 'durationSeconds'>

interface PlayerMessages {
  play(url: string, sound: PlayedSound): MessageProperties
  stop: MessageProperties
}

/** What each node expects. The tests in `test/player-nodes` run the real ones. */
const messagesFor: Readonly<Record<PlayerNode, PlayerMessages>> = {
  plain: { play: (url) => ({ payload: url }), stop: { payload: '' } },
  'sonos-plus': {
    // Plays a notification, and afterwards what was playing before.
    play: (url, sound) => ({
      payload: url,
      topic: 'group.play.notification',
      ...(sound.isComplete && { duration: notificationTime(sound) }),
    }),
    stop: { payload: '', topic: 'group.stop' },
  },
  castv2: {
    play: (url, { mediaType: contentType }) => ({
      payload: { type: 'MEDIA', media: { url, contentType } },
    }),
    stop: { payload: { type: 'STOP' } },
  },
  // The media player is chosen in the action node.
  'home-assistant': {
    play: (url) => ({
      payload: {
        action: 'media_player.play_media',
        data: { media_content_id: url, media_content_type: 'music', announce: true },
      },
    }),
    stop: { payload: { action: 'media_player.media_stop' } },
  },
  'dashboard-2': {
    play: (url) => ({ payload: url, ui_update: { autoplay: 'on' } }),
    stop: { payload: '', playback: 'stop' },
  },
  // The remote control interface of VLC takes these over TCP.
  vlc: { play: (url) => ({ payload: `add ${url}\n` }), stop: { payload: 'stop\n' } },
}

export const playerNodes = Object.keys(messagesFor)

/** Whether a hand-written flow names a node that exists. */
export function isPlayerNode(name: unknown): name is PlayerNode {
  return Object.hasOwn(messagesFor, String(name))
}

/**
 * Whether a node must know how long a sound is. Without `msg.duration`, sonos-plus asks the player, which reports 0 for a
 * sound that grows, and ends it after a second.
 */
export function needsDuration(player: PlayerNode): boolean {
  return player === 'sonos-plus'
}

/** Whether `msg.volume` sets the volume of the player: ours is a share of it, and 100 would be its loudest. */
export function setsVolume(player: PlayerNode): boolean {
  return player === 'sonos-plus'
}

/** The properties of a message that makes a node play the sound at an address. `msg.url` is the address for every node. */
export function playMessage(
  player: PlayerNode,
  url: string,
  sound: PlayedSound,
): MessageProperties {
  return { ...messagesFor[player].play(url, sound), url }
}

/** The properties of a message that makes a node stop the sound at an address. */
export function stopMessage(player: PlayerNode, url: string): MessageProperties {
  return { ...messagesFor[player].stop, url, stop: true }
}

/** How long sonos-plus lets a sound play, as hh:mm:ss: a player begins up to a second late. */
function notificationTime({ durationSeconds = 0 }: PlayedSound): string {
  const seconds = Math.ceil(durationSeconds) + 1
  return new Date(seconds * 1000).toISOString().slice(11, 19)
}
