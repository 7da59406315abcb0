import type { RealtimeServerEvent } from '@parlando/core/wire'
import type { Call, CallOptions } from '@parlando/webrtc'
import { openOpusPackets } from '../../../encoding/opus-packets.ts'
import type { Clock } from '../../../realtime/clock.ts'
import type { Connection } from '../connection.ts'
import { createCallInput } from './call-input.ts'
import { createCallOutput } from './call-output.ts'
import { createInbox } from './inbox.ts'
import { createPlayout } from './playout.ts'
import { withoutFormats } from './without-formats.ts'

export interface CallConnectionOptions {
  clock: Clock
  accept(handlers: Pick<CallOptions, 'onPacket' | 'onMessage'>): Promise<Call>
}

/** Opens a call as a connection of a session: the sound of the client becomes events, and sound events become packets. */
export async function openCallConnection({
  clock,
  accept,
}: CallConnectionOptions): Promise<{ call: Call; connection: Connection }> {
  const codec = await openOpusPackets(24_000)
  const inbox = createInbox({ onOverflow: () => void call.close() })
  const decode = createCallInput(codec)
  const call = await accept({
    onPacket(packet) {
      const pcm = decode(packet)
      const audio = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.length).toString('base64')
      inbox.pushSound({ type: 'input_audio_buffer.append', audio })
    },
    onMessage: inbox.pushMessage,
  }).catch((error) => {
    codec.close()
    throw error
  })
  const { signal } = call
  signal.addEventListener(
    'abort',
    () => {
      inbox.end()
      codec.close()
    },
    { once: true },
  )
  const output = createCallOutput({
    sendMessage: (event) => call.send(JSON.stringify(event)),
    createPlayout: ({ onEmpty }) =>
      createPlayout({
        clock,
        signal,
        onEmpty,
        send: (pcm, positionMs) => call.sendPacket(codec.encode(pcm), positionMs),
      }),
  })
  const connection: Connection = {
    messages: inbox.messages,
    signal,
    send: (event) => output.send(event as RealtimeServerEvent),
    limitSilence: inbox.limitSilence,
    close: () => void call.close(),
    player: output.player,
    withoutUnused: withoutFormats,
  }
  return { call, connection }
}
