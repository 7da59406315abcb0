import { setImmediate } from 'node:timers/promises'
import { checkVoiceSample } from '@parlando/core/audio'
import { ServiceError } from '../../errors/service-error.ts'

/**
 * Decodes recordings from base64, one per turn of the event loop.
 * @throws {ServiceError} with the position of each recording that is not base64, too large or not a supported file.
 */
export async function readSamples(samples: readonly { audioData: string }[]): Promise<Buffer[]> {
  const read: Buffer[] = []
  const problems: string[] = []
  for (const [index, { audioData }] of samples.entries()) {
    await setImmediate()
    const audio = Buffer.from(audioData, 'base64')
    const problem = problemOf(audio, audioData)
    if (problem) problems.push(`sample ${index + 1} of ${samples.length} ${problem}`)
    read.push(audio)
  }
  await setImmediate()
  if (problems.length > 0)
    throw new ServiceError('INVALID_ARGUMENT', `voiceSamples: ${problems.join('; ')}`)
  return read
}

function problemOf(audio: Buffer, base64: string): string | undefined {
  if (base64.startsWith('data:')) return 'is a data: URL; send only the part after the comma'
  // Node ignores invalid characters, so the text is compared with its re-encoding.
  if (audio.toString('base64') !== base64) {
    return 'is not base64; write it without spaces and line breaks, padded with ='
  }
  return checkVoiceSample(audio).problem
}
