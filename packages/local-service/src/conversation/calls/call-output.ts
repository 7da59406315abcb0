import type { RealtimeServerEvent } from '@parlando/core/wire'
import { newId } from '../server-events.ts'
import type { SessionPlayer } from '../session-connection.ts'
import type { Playout, PlayoutOptions } from './playout.ts'

/** What the client of a call receives: the events, and the sound instead of the events that contain it. */
export interface CallOutput {
  send(event: RealtimeServerEvent): Promise<void>
  player: SessionPlayer
}

export interface CallOutputOptions {
  createPlayout(options: Pick<PlayoutOptions, 'onEmpty'>): Pick<Playout, keyof Playout>
  sendMessage(event: RealtimeServerEvent): Promise<void>
}

/** Reports when the sound of a response starts and ends, with the events `output_audio_buffer`. */
export function createCallOutput({ createPlayout, sendMessage }: CallOutputOptions): CallOutput {
  /** The response that the client plays. */
  let playing: string | undefined
  /** The last response that has ended. */
  let ended: string | undefined

  const report = (what: 'started' | 'stopped' | 'cleared', response_id: string) =>
    void sendMessage({
      type: `output_audio_buffer.${what}`,
      event_id: newId('event'),
      response_id,
    })
  const play = (responseId: string, pcm: Uint8Array) => {
    if (playing !== responseId) {
      if (playing) report('stopped', playing)
      playing = responseId
      report('started', responseId)
    }
    playout.push(pcm)
  }
  const reportIfPlayed = () => {
    if (!playing || playing !== ended || !playout.isEmpty) return
    report('stopped', playing)
    playing = undefined
  }
  const clear = () => {
    playout.clear()
    if (playing) report('cleared', playing)
    playing = undefined
  }
  const playout = createPlayout({ onEmpty: reportIfPlayed })

  return {
    async send(event) {
      if (event.type === 'response.output_audio.delta') {
        return play(event.response_id, Buffer.from(event.delta, 'base64'))
      }
      if (event.type === 'response.output_audio.done') playout.end()
      const sent = sendMessage(event)
      if (event.type === 'response.done') {
        const { id, status } = event.response
        ended = id
        if (status === 'cancelled' && playing === id) clear()
        else reportIfPlayed()
      }
      await sent
    },
    player: { pause: () => playout.pause(), resume: () => playout.resume(), clear },
  }
}
