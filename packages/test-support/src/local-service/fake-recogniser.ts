import type {
  RecognisedUtterance,
  Recogniser,
  RecogniserModel,
  RecognitionRequest,
} from '../../../local-service/src/recognisers/recogniser.ts'

/** A recogniser whose text is the length of what it received, such as `1200 ms`. */
export interface FakeRecogniser extends Recogniser {
  /** The requests so far. */
  requests: RecognitionRequest[]
  /** Utterances that have begun but not ended. */
  readonly running: number
  /** Called before each step, which waits for it and fails with it. */
  onWork: (work: 'open' | 'write' | 'end') => Promise<void> | void
  /** Added to each utterance. */
  utterance: Partial<RecognisedUtterance>
}

const samplesPerMs = 16

export function createFakeRecogniser(model: Partial<RecogniserModel> = {}): FakeRecogniser {
  let running = 0
  const fake: FakeRecogniser = {
    name: 'fake',
    models: [
      {
        modelId: 'fake/model',
        displayName: 'Fake',
        langCodes: ['EN_US'],
        hasInterimResults: true,
        timesWords: true,
        matchesSentences: true,
        ...model,
      },
    ],
    requests: [],
    utterance: {},
    get running() {
      return running
    },
    onWork() {},
    async open(request) {
      fake.requests.push(request)
      await fake.onWork('open')
      request.signal.throwIfAborted()
      let samplesReceived = 0
      let isRunning = true
      running++
      const release = () => {
        if (isRunning) running--
        isRunning = false
      }
      request.signal.addEventListener('abort', release)
      const text = () => `${samplesReceived / samplesPerMs} ms`
      return {
        async write(samples) {
          await fake.onWork('write')
          request.signal.throwIfAborted()
          samplesReceived += samples.length
          request.onInterim?.(fake.utterance.text ?? text())
        },
        async end() {
          await fake.onWork('end')
          request.signal.throwIfAborted()
          release()
          return { text: text(), ...fake.utterance }
        },
      }
    },
    async close() {},
  }
  return fake
}
