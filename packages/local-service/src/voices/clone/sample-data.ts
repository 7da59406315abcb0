import { checkVoiceSample } from '@parlando/core/audio'
import { ServiceError } from '../../errors.ts'

/**
 * Decodes recordings from base64.
 * @throws {ServiceError} with the position of each recording that is not base64, too large or not a supported file.
 */
export function readSamples(samples: readonly { audioData: string }[]): Buffer[] {
  const read = samples.map(({ audioData }) => Buffer.from(audioData, 'base64'))
  const problems = read.flatMap((audio, index) => {
    const problem = problemOf(audio, samples[index]!.audioData)
    return problem ? [`sample ${index + 1} of ${samples.length} ${problem}`] : []
  })
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
