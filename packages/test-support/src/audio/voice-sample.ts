import type { AudioEncoding, Client } from '@parlando/core'

const text =
  'The laundry is done, and the dishes are clean. Now it is time for a cup of tea in the garden, before it rains again.'

/** Lets the service speak for a few seconds. @returns the audio, for use like a recording of a person. */
export async function makeVoiceSample(client: Client, audioEncoding: AudioEncoding = 'WAV') {
  const audioConfig = { audioEncoding, sampleRateHertz: 16000 } as const
  const speech = { text, voiceId: 'Angus', modelId: 'svc-tts-2', audioConfig }
  return (await client.synthesize(speech)).audio
}
