/** The nodes of other packages for which a message can be made. */
export type PlayerNode =
  | 'plain'
  | 'sonos-plus'
  | 'castv2'
  | 'home-assistant'
  | 'dashboard-2'
  | 'vlc'

type MessageProperties = Record<string, unknown>

interface PlayerMessages {
  play(url: string, mediaType: string): MessageProperties
  stop: MessageProperties
}

/** What each node expects, as its documentation says (read 2026-11). */
const messagesFor: Readonly<Record<PlayerNode, PlayerMessages>> = {
  plain: { play: (url) => ({ payload: url }), stop: { payload: '' } },
  'sonos-plus': {
    // Plays a notification, and afterwards what was playing before.
    play: (url) => ({ payload: url, topic: 'group.play.notification' }),
    stop: { payload: '', topic: 'group.stop' },
  },
  castv2: {
    play: (url, contentType) => ({ payload: { type: 'MEDIA', media: { url, contentType } } }),
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
    play: (url) => ({ payload: url, ui_update: { source: url, autoplay: 'on' } }),
    stop: { payload: '', playback: 'stop' },
  },
  // For the remote control interface of VLC, over TCP.
  vlc: { play: (url) => ({ payload: `add ${url}\n` }), stop: { payload: 'stop\n' } },
}

export const playerNodes = Object.keys(messagesFor)

/** Whether a hand-written flow names a node that exists. */
export function isPlayerNode(name: unknown): name is PlayerNode {
  return Object.hasOwn(messagesFor, String(name))
}

/** The properties of a message that makes a node play the sound at an address. `msg.url` is the address for every node. */
export function playMessage(player: PlayerNode, url: string, mediaType: string): MessageProperties {
  return { ...messagesFor[player].play(url, mediaType), url }
}

/** The properties of a message that makes a node stop the sound at an address. */
export function stopMessage(player: PlayerNode, url: string): MessageProperties {
  return { ...messagesFor[player].stop, url, stop: true }
}
