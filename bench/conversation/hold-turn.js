import { silenceMs } from './user.js'

const transcribed = 'conversation.item.input_audio_transcription.completed'

/**
 * Speaks a turn and waits for the first sound of the response.
 * @returns the times between the last sample of speech and the first of the response; `undefined` if the service has
 * divided the turn.
 */
export async function holdTurn(user, turn) {
  const events = [
    'input_audio_buffer.speech_stopped',
    transcribed,
    'response.created',
    'response.output_audio.delta',
  ].map((type) => user.next(type))
  for (const event of events) event.catch(() => {})
  const { endedAt } = await user.speak(turn)
  const [stopped, text, created, first] = await Promise.all(events)
  if (stopped.at < endedAt) return undefined
  return {
    transcript: text.event.transcript,
    totalMs: first.at - endedAt - silenceMs,
    detectionMs: stopped.at - endedAt - silenceMs,
    recognitionMs: text.at - stopped.at,
    responseMs: first.at - created.at,
  }
}
