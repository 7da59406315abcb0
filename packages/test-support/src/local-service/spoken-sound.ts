import { toInt16 } from '../../../local-service/src/audio/pcm.ts'
import { createFliteEngine } from '../../../local-service/src/engines/flite/flite-engine.ts'
import { speakSamples } from './test-app.ts'

/** Speaks a sentence with a voice of Flite. @returns samples of 16 kHz, with silence before and after. */
export async function spokenSound(text: string, voice = 'slt'): Promise<Int16Array> {
  const engine = await createFliteEngine()
  try {
    const samples = toInt16(await speakSamples(engine, voice, text))
    const padded = new Int16Array(samples.length + 16_000)
    padded.set(samples, 8000)
    return padded
  } finally {
    await engine.close()
  }
}
