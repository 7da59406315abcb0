import { createClient } from '@parlando/core'
import { rateHertz } from '../../test/turns/recordings.ts'
import { startService } from '../shared/service.js'

const voices = ['Heart', 'Harriet', 'Clara', 'Ralph', 'Angus', 'Kit']
const speeds = [0.9, 1, 1.1, 1.2]
const sentences = ['I think that the lamp is still on.', 'What time is it now?']
/** Quieter sound around speech is silence: 40 dB below its peak. */
const silence = 0.01
const pauseMs = { before: 300, after: 150 }

/**
 * Lets every built-in voice for English say a phrase at several speeds: alone, after a sentence, and before one.
 * @returns samples of 16 kHz, with the place of the phrase in them.
 */
export async function speakWords(phrase) {
  const service = await startService()
  const client = createClient({ baseUrl: service.baseUrl })
  const speak = async (voice, text, speakingRate = 1) => {
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: rateHertz, speakingRate }
    const { audio } = await client.synthesize({ text, voiceId: voice, audioConfig })
    return trim(toSamples(audio))
  }
  const words = []
  try {
    for (const voice of voices) {
      const [before, after] = [await speak(voice, sentences[0]), await speak(voice, sentences[1])]
      for (const speed of speeds) {
        const word = await speak(voice, `${phrase}.`, speed)
        words.push(join([], word, []), join([before], word, []), join([], word, [after]))
      }
    }
  } finally {
    await client.close()
    await service.close()
  }
  return words
}

function join(before, word, after) {
  const pause = (ms) => new Float32Array((ms * rateHertz) / 1000)
  const first = before.flatMap((sound) => [...sound, ...pause(pauseMs.before)])
  const last = after.flatMap((sound) => [...pause(pauseMs.after), ...sound])
  return {
    samples: Float32Array.from([...first, ...word, ...last]),
    start: first.length,
    end: first.length + word.length,
  }
}

function toSamples(pcm) {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  return Float32Array.from(
    { length: pcm.byteLength / 2 },
    (_, index) => view.getInt16(2 * index, true) / 32_768,
  )
}

/** Without the silence of the voice, the end of the word is known. */
function trim(samples) {
  const peak = samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
  const isLoud = (sample) => Math.abs(sample) > silence * peak
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1)
}
