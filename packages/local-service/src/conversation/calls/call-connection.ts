import type { RealtimeClientEvent, RealtimeServerEvent } from '@parlando/core/wire'
import { onAbort } from '../../concurrency/abort-signals.ts'
import type { Clock } from '../clock.ts'
import type { SessionConnection } from '../session-connection.ts'
import type { CallReceiver, ProcessCall } from './accept-call.ts'
import { createCallOutput } from './call-output.ts'
import { createInbox } from './inbox.ts'
import { Playout } from './playout.ts'

export interface CallConnectionOptions {
  clock: Clock
  accept(handlers: CallReceiver): Promise<ProcessCall>
}

/** Opens a call as a connection of a session: the sound of the client becomes events, and sound events become sound. */
export async function openCallConnection({
  clock,
  accept,
}: CallConnectionOptions): Promise<{ call: ProcessCall; connection: SessionConnection }> {
  const inbox = createInbox({ onOverflow: () => void call.close() })
  const call = await accept({
    onSound(pcm) {
      const audio = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.length).toString('base64')
      inbox.pushSound({ type: 'input_audio_buffer.append', audio })
    },
    onMessage: inbox.pushMessage,
  })
  const { signal } = call
  onAbort(signal, inbox.end)
  const output = createCallOutput({
    sendMessage: (event) => call.send(JSON.stringify(event)),
    createPlayout: ({ onEmpty }) => new Playout({ clock, signal, onEmpty, send: call.sendSound }),
  })
  const connection: SessionConnection = {
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

/** Removes the formats from the settings of an event: the sound of a call is always Opus. */
function withoutFormats(event: RealtimeClientEvent): RealtimeClientEvent {
  if (event.type === 'session.update') {
    delete event.session.audio?.input?.format
    delete event.session.audio?.output?.format
  }
  if (event.type === 'response.create') delete event.response?.audio?.output?.format
  return event
}
