import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { median } from '../shared/statistics.js'

const bytesPerSecond = 32_000
const samplingMs = 500
const parts = 60
// The encoder adds up to 0.1 s of silence, and the service rejects more than an hour.
const partSeconds = 59.9

/** Transcribes a recording of an hour with one sentence a minute. @returns the memory of the service during that time. */
export async function measureHour(client, service, sentence) {
  const part = Buffer.alloc(partSeconds * bytesPerSecond)
  sentence.copy(part)
  const file = await encodeMp3(part, { sampleRateHertz: bytesPerSecond / 2, bitRate: 32_000 })
  const audio = Buffer.concat(Array.from({ length: parts }, () => file))
  const startedAt = performance.now()
  const { result, rssMiB } = await sampleMemory(service, () => client.transcribe({ audio }))
  const seconds = (performance.now() - startedAt) / 1000
  const quarter = (number) =>
    median(rssMiB.slice((rssMiB.length * (number - 1)) / 4, (rssMiB.length * number) / 4))
  return {
    audioSeconds: result.durationSeconds,
    characters: result.text.length,
    timesRealTime: result.durationSeconds / seconds,
    maxRssMiB: Math.max(...rssMiB),
    growthMiB: quarter(4) - quarter(2),
  }
}

async function sampleMemory(service, work) {
  const rssMiB = []
  const sample = async () => rssMiB.push((await service.usage()).rssMiB)
  const sampling = setInterval(sample, samplingMs)
  try {
    return { result: await work(), rssMiB }
  } finally {
    clearInterval(sampling)
    // Earlier samples arrive before this one, so none is left when the service closes.
    await sample()
  }
}
