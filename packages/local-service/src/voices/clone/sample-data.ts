import { checkVoiceSample } from '@parlando/core/audio'
import { ServiceError } from '../../errors.ts'

/**
 * Reads recordings that came in base64.
 * @throws {ServiceError} naming by its position each that is no base64, too large or no file to clone from.
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
  if (base64.startsWith('data:')) return 'is a data: address; send what is behind its comma'
  // Node skips what it cannot read; only the way back shows that there was something.
  if (audio.toString('base64') !== base64) {
    return 'is not base64; write it without blanks and line ends, padded with ='
  }
  return checkVoiceSample(audio).problem
}
