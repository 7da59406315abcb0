import { createPlayerId, createSpeakerClient } from '../pages/speaker-client.ts'
import { type BrowserCommand, editorTopic } from '../speakers/browser/commands.ts'
import { RED } from './red.ts'

/** Lets this tab play the sounds of the speaker *the editor*. */
export function startEditorSpeaker(): void {
  const player = createPlayerId()
  const send = (path: string, query: Record<string, string>, method: string) => {
    // As the editor's own requests.
    const token = RED.settings.get('auth-tokens')?.access_token
    return fetch(`parlando/editor-speaker/${path}?${new URLSearchParams({ ...query, player })}`, {
      method,
      // A report must arrive also when the tab is closed.
      keepalive: method === 'POST',
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    })
  }
  const { take } = createSpeakerClient({
    server: {
      async report(id, event) {
        const response = await send('report', { id, event }, 'POST')
        return ((await response.json()) as { play: boolean }).play
      },
      fetchAudio: (id) => send('audio', { id }, 'GET'),
    },
  })
  RED.comms.subscribe(editorTopic, (_topic, command) => take(command as BrowserCommand))
}
