import { createClient } from '@parlando/core'

const recordedText =
  'The laundry is done, and the dishes are clean. Now it is time for a cup of tea in the garden, before it rains again.'

/** Clones a voice from a recording of another voice, which takes as much work as a person's voice. @returns its ID. */
export async function cloneVoice(connection) {
  const client = createClient(connection)
  try {
    const { audio } = await client.synthesize({
      text: recordedText,
      voiceId: 'Nora',
      modelId: 'svc-tts-2',
      audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 16_000 },
    })
    const request = { displayName: 'Clone', langCode: 'EN_US', samples: [audio] }
    return (await client.cloneVoice(request)).voice.voiceId
  } finally {
    await client.close()
  }
}
