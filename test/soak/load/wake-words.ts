import { type Client, createClient } from '@parlando/core'
import { count, countFailure } from '../messages/message-stats.ts'

const phrase = 'Alexa'
const pcm = { audioEncoding: 'PCM', sampleRateHertz: 16_000 } as const
const bytesPerSecond = 2 * pcm.sampleRateHertz

/** A microphone that waits for a wake word, which somebody says among other words. */
export async function waitForWakeWord(
  baseUrl: string,
  counts: Record<string, number>,
): Promise<void> {
  const client = createClient({ baseUrl })
  try {
    const isFound = await listen(client)
    count(counts, isFound ? 'wake words found' : 'wake words missed')
  } catch (error) {
    countFailure(counts, 'wake words', error)
  } finally {
    await client.close()
  }
}

/** @returns whether the service has found the wake word. */
async function listen(client: Client): Promise<boolean> {
  const text = `The train leaves at noon. ${phrase}!`
  const { audio } = await client.synthesize({ text, voiceId: 'Clara', audioConfig: pcm })
  const stream = client.findWakeWords({ phrases: [phrase] })
  let isFound = false
  for await (const { type } of stream) {
    if (type === 'waiting') {
      await stream.write(audio)
      await stream.write(new Uint8Array(bytesPerSecond))
      stream.end()
    }
    isFound ||= type === 'detection'
  }
  return isFound
}
