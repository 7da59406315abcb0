import { tone, whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBestMicrophone } from './best-microphone.ts'
import { sampleRateHertz } from './microphone-recording.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const seconds = (count: number) => count * sampleRateHertz
/** Noise of this amplitude, in which somebody speaks with this one. */
const sound = (noise: number, speech: number) => {
  const samples = whiteNoise(seconds(1), noise)
  const spoken = new Int16Array(
    tone({ hertz: 300, seconds: 0.5, sampleRateHertz }).buffer.slice(0, seconds(1)),
  )
  for (const [at, sample] of spoken.entries()) {
    samples[at + seconds(0.5)]! += Math.round(sample * speech)
  }
  return Buffer.from(samples.buffer)
}

function hear(sources: Record<string, Buffer>) {
  const heard: Buffer[] = []
  const chosen: string[] = []
  const microphone = createBestMicrophone<string>({
    onPcm: (pcm) => heard.push(pcm),
    onChosen: (name) => chosen.push(name),
  })
  const stepBytes = 640
  for (let at = 0; at < 2 * seconds(1); at += stepBytes) {
    for (const [name, pcm] of Object.entries(sources))
      microphone.push(name, pcm.subarray(at, at + stepBytes))
    vi.advanceTimersByTime(20)
  }
  return { microphone, heard: () => Buffer.concat(heard), chosen }
}

it('a single microphone passes its sound on at once, also before anybody speaks', () => {
  const near = sound(0.001, 0.5)
  const { heard, chosen } = hear({ near })
  expect(heard().equals(near)).toBe(true)
  expect(chosen).toEqual(['near'])
})

it('of several microphones, the one whose speech stands out most from its own noise is heard whole', () => {
  const near = sound(0.002, 0.5)
  const { heard, chosen } = hear({
    // The same level of speech in a loud room, and a microphone with a high gain.
    loudRoom: sound(0.05, 0.5),
    near,
    far: sound(0.002, 0.05),
  })
  expect(chosen).toEqual(['near'])
  expect(
    heard()
      .subarray(-near.length + 640)
      .equals(near.subarray(640)),
  ).toBe(true)
})

it('nobody is chosen while nobody speaks', () => {
  const { chosen } = hear({ one: sound(0.01, 0), other: sound(0.02, 0) })
  expect(chosen).toEqual([])
})

it('the start of a word is heard whole if one of two microphones goes in it', () => {
  const { microphone, heard, chosen } = hear({})
  const near = sound(0.002, 0.5)
  const far = sound(0.002, 0.05)
  // The speech begins after half of the sound.
  const goesAt = near.length / 2 + 2 * 640
  for (let at = 0; at < near.length; at += 640) {
    if (at === goesAt) microphone.leave('far')
    microphone.push('near', near.subarray(at, at + 640))
    if (at < goesAt) microphone.push('far', far.subarray(at, at + 640))
    vi.advanceTimersByTime(20)
  }
  expect(chosen).toEqual(['near'])
  expect(heard().equals(near)).toBe(true)
})

it('another microphone may be chosen when the chosen one is gone', () => {
  const { microphone, chosen } = hear({ near: sound(0.002, 0.5), far: sound(0.002, 0.05) })
  microphone.leave('near')
  const again = sound(0.002, 0.3)
  for (let at = 0; at < again.length; at += 640) {
    microphone.push('far', again.subarray(at, at + 640))
    vi.advanceTimersByTime(20)
  }
  expect(chosen).toEqual(['near', 'far'])
})

it('a microphone that leaves just before it would be chosen leaves the choice to the others', () => {
  const { microphone, chosen } = hear({})
  microphone.push('near', sound(0.001, 0.5))
  microphone.leave('near')
  vi.advanceTimersByTime(300)
  microphone.push('far', sound(0.001, 0.5))
  vi.advanceTimersByTime(300)
  expect(chosen).toEqual(['far'])
})
