import type {
  DetectorModel,
  WakeWordDetector,
  WakeWordRequest,
} from '../../../local-service/src/wake-words/wake-word-detector.ts'

/** A detector that finds its phrase at each sample of full scale. */
export interface FakeWakeWordDetector extends WakeWordDetector {
  /** The requests so far. */
  requests: WakeWordRequest[]
  /** Streams that are open. */
  readonly running: number
  /** Called before each step, which waits for it and fails with it. */
  onWork: (work: 'open' | 'push' | 'end') => Promise<void> | void
}

/** A wake word, as the fake detector understands it, between silence. */
export function fakeWakeWord(): Int16Array {
  const samples = new Int16Array(1600)
  samples[800] = 0x7fff
  return samples
}

const samplesPerMs = 16

export function createFakeWakeWordDetector(
  model: Partial<DetectorModel> = {},
): FakeWakeWordDetector {
  let running = 0
  const fake: FakeWakeWordDetector = {
    name: 'fake',
    models: [
      {
        modelId: 'fake/model',
        displayName: 'Fake',
        langCodes: ['EN_US'],
        isRough: false,
        ...model,
      },
    ],
    requests: [],
    get running() {
      return running
    },
    onWork() {},
    async open(request) {
      const { phrases, signal } = request
      fake.requests.push(request)
      await fake.onWork('open')
      signal.throwIfAborted()
      let samplesTaken = 0
      let isOpen = true
      running++
      return {
        async push(samples) {
          await fake.onWork('push')
          signal.throwIfAborted()
          const found = [...samples.keys()].filter((index) => samples[index] === 0x7fff)
          const start = samplesTaken
          samplesTaken += samples.length
          return found.map((index) => ({
            phrase: phrases[0]!,
            score: 0.9,
            endMs: Math.round((start + index) / samplesPerMs),
          }))
        },
        async end() {
          await fake.onWork('end')
          return []
        },
        close() {
          if (isOpen) running--
          isOpen = false
        },
      }
    },
    async close() {},
  }
  return fake
}
