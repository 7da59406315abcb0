import { setTimeout as wait } from 'node:timers/promises'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { createRawClient } from '../shared/raw-client.js'
import { createSentences } from '../shared/sentences.js'
import { serviceProcesses } from './service-processes.js'

const apiKey = 'benchmark-of-the-device'
const speech = { model: 'svc-tts-2', voice: 'Clara', encoding: 'MP3' }
const voices = ['Clara', 'Kit', 'Angus', 'Ralph']
const settleMs = 8_000
const sentences = createSentences(200)

/**
 * Starts the service as the nodes do, and requests speech as soon as it listens.
 * @param dataFolder keeps compiled code from one start to the next. @returns the time since the start.
 */
export async function firstAudioMs(dataFolder) {
  const startedAt = performance.now()
  const service = await startLocalServiceProcess({ apiKey, dataFolder })
  const client = createRawClient({ ...service, apiKey })
  const listeningAt = performance.now()
  const firstByteMs = await client.firstByteMs({ text: sentences[0], ...speech })
  client.close()
  await service.close()
  return listeningAt - startedAt + firstByteMs
}

/** @returns the resident memory when idle, after 40 sentences with one voice, and after 20 parallel utterances. */
export async function residentMiB() {
  const service = await startLocalServiceProcess({ apiKey })
  const speak = async (text, voice = speech.voice) => {
    const client = createRawClient({ ...service, apiKey })
    await client.firstByteMs({ text, ...speech, voice })
    client.close()
  }
  const serviceMiB = () => serviceProcesses()[0].residentMiB
  try {
    // The voices warm up.
    await wait(settleMs)
    const idleMiB = serviceMiB()
    for (const text of sentences.slice(0, 40)) await speak(text)
    const voiceMiB = serviceMiB()
    await Promise.all(
      sentences.slice(0, 20).map((text, index) => {
        return speak(`${text} ${sentences[index + 20]}`, voices[index % voices.length])
      }),
    )
    return { idleMiB, voiceMiB, parallelMiB: serviceMiB() }
  } finally {
    await service.close()
  }
}
